import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  type Edge,
  eventually,
  type Nats,
  startNats,
  startTestFleet,
  type TestFleet,
  type TestResponse,
} from '@wp/testkit'
import { Client } from 'pg'

const scoped = '/v1/data/sources'

let nats: Nats
let fleet: TestFleet
let owner: string
let database: Client
/** Beside the fleet's own, each with rules of its own for what it remembers. */
let second: Edge
beforeAll(async () => {
  nats = await startNats()
  fleet = await startTestFleet({ services: ['auth', 'system', 'data'], natsUrl: nats.url })
  second = await fleet.addEdge()
  owner = await fleet.token(fleet.owner)
  database = new Client({ connectionString: fleet.databases.get('auth')?.adminUrl })
  await database.connect()
}, 60_000)
afterAll(async () => {
  await database.end()
  await fleet.stop()
  await nats.stop()
})

type Through = { baseUrl: string }
const ask = (as: string, through: Through, headers: Record<string, string> = {}) =>
  fleet.request('GET', scoped, { as, edge: through, headers })

const manage = async (method: string, path: string, body?: unknown): Promise<TestResponse> => {
  const answer = await fleet.request(method, path, { as: owner, ...(body === undefined ? {} : { body }) })
  if (answer.status > 299) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer
}

/** Every edge knows the credential, and lets it in. */
async function warm(as: string, edges: readonly Through[] = [fleet, second], headers: Record<string, string> = {}) {
  for (const edge of edges) expect((await ask(as, edge, headers)).status).toBe(200)
}

/** Within five seconds, half of what an edge would remember by itself, so it was told. */
async function refused(
  as: string,
  code: string,
  edges: readonly Through[] = [fleet, second],
  headers: Record<string, string> = {},
) {
  for (const edge of edges)
    await eventually(async () => (await ask(as, edge, headers)).body.code === code, {
      timeoutMs: 5_000,
      description: `${code} at every edge`,
    })
}

const newKey = async () => (await manage('POST', '/v1/auth/api-key', { name: 'short-lived' })).body.data

let serial = 0
/** A member of the owner's workspace, signed in. */
async function member(role: { builtIn: string } | { id: string }) {
  serial += 1
  const userId = `usr_01h455vb4pex5vsknk0${String(serial).padStart(7, '0')}`
  const { workspaceId } = fleet.owner
  await database.query('INSERT INTO users (user_id, email) VALUES ($1, $2)', [userId, `${userId}@example.test`])
  await database.query(
    'INSERT INTO memberships (workspace_id, user_id, built_in_role, role_id) VALUES ($1, $2, $3, $4)',
    [workspaceId, userId, 'builtIn' in role ? role.builtIn : null, 'id' in role ? role.id : null],
  )
  return { userId, token: await fleet.userToken(userId), path: `/v1/auth/admin/users/${userId}` }
}

describe('an edge that remembers hears of', () => {
  it('a key that is deleted', async () => {
    const { key_id, api_key } = await newKey()
    await warm(api_key)
    await manage('DELETE', `/v1/auth/api-key/${key_id}`)
    await refused(api_key, 'revoked_credential')
  })

  it('a key that was given another secret', async () => {
    const { key_id, api_key } = await newKey()
    await warm(api_key)
    await manage('POST', `/v1/auth/api-key/${key_id}/rotate`, {})
    await refused(api_key, 'revoked_credential')
  })

  it('a service principal that is disabled, or deleted', async () => {
    for (const end of ['PATCH', 'DELETE']) {
      const path = '/v1/auth/admin/service-principals'
      const { client_id, client_secret } = (await manage('POST', path, { name: end, scopes: ['data:read'] })).body.data
      const token = await fleet.token({ ...fleet.owner, clientId: client_id, clientSecret: client_secret })
      await warm(token)
      await manage(end, `${path}/${client_id}`, end === 'PATCH' ? { status: 'disabled' } : undefined)
      await refused(token, 'revoked_credential')
    }
  })

  it('a session that is ended', async () => {
    const { token } = await member({ builtIn: 'member' })
    await warm(token)
    const { body } = await fleet.request('GET', '/v1/auth/sessions', { as: token })
    const path = `/v1/auth/sessions/${body.data[0].id}`
    expect((await fleet.request('DELETE', path, { as: token })).status).toBe(200)
    await refused(token, 'revoked_credential')
  })

  it('a member who is removed, with the keys that go with them', async () => {
    const { token, path } = await member({ builtIn: 'admin' })
    const headers = { 'x-workspace-key': fleet.owner.workspaceId }
    const made = await fleet.request('POST', '/v1/auth/api-key', { as: token, body: {} })
    const { api_key } = made.body.data
    await warm(token, [fleet, second], headers)
    await warm(api_key)
    await manage('DELETE', `${path}?revoke_keys=true`)
    await refused(token, 'workspace_forbidden', [fleet, second], headers)
    await refused(api_key, 'revoked_credential')
  })

  it('a member who is given a lesser role', async () => {
    const { role_id } = (await manage('POST', '/v1/auth/admin/roles', { name: 'blind', scopes: ['audit:read'] })).body
      .data
    const { token, path } = await member({ builtIn: 'viewer' })
    await warm(token)
    await manage('PATCH', path, { role: role_id })
    await refused(token, 'missing_scope')
  })

  it('a role that allows less', async () => {
    const scopes = ['data:read', 'audit:read']
    const { role_id } = (await manage('POST', '/v1/auth/admin/roles', { name: 'shrinking', scopes })).body.data
    const { token } = await member({ id: role_id })
    await warm(token)
    await manage('PATCH', `/v1/auth/admin/roles/${role_id}`, { scopes: ['audit:read'] })
    await refused(token, 'missing_scope')
  })
})

describe('a workspace', () => {
  it('that was just created is there at once, at every edge, for its owner and nobody else', async () => {
    const { token } = await member({ builtIn: 'member' })
    await warm(token)
    const { token: other } = await member({ builtIn: 'member' })
    for (const through of [fleet, second]) {
      const created = await fleet.request('POST', '/v1/system/workspaces', {
        as: token,
        edge: through,
        body: { name: 'Mine' },
      })
      expect(created.status).toBe(201)
      const headers = { 'x-workspace-key': created.body.data.workspace_id }
      for (const edge of [second, fleet]) {
        const answer = await fleet.request('GET', '/v1/system/workspace', { as: token, edge: edge, headers })
        expect(answer.body).toMatchObject({ data: { role: 'owner', workspace_id: created.body.data.workspace_id } })
        expect((await ask(other, edge, headers)).body.code).toBe('workspace_forbidden')
      }
    }
    // no one of several is meant by itself
    expect((await ask(token, fleet)).body.code).toBe('workspace_required')
    await warm(token, [fleet, second], { 'x-workspace-key': fleet.owner.workspaceId })
    const { api_key } = await newKey()
    const headers = { 'x-workspace-key': fleet.stranger.workspaceId }
    expect((await ask(api_key, fleet, headers)).body.code).toBe('workspace_mismatch')
  })
})

describe('with the broker away', () => {
  it('a revocation holds once what is remembered has ended', async () => {
    const short = await fleet.addEdge({ IDENTITY_CACHE_SECONDS: '1' })
    const { key_id, api_key } = await newKey()
    await warm(api_key, [short])
    await nats.kill()
    await manage('DELETE', `/v1/auth/api-key/${key_id}`)
    await refused(api_key, 'revoked_credential', [short])
    await nats.restart()
  })

  it('and back, everything is forgotten: what was said meanwhile was missed', async () => {
    const edge = await fleet.addEdge()
    const { key_id, api_key } = await newKey()
    await warm(api_key, [edge])
    await nats.kill()
    await manage('DELETE', `/v1/auth/api-key/${key_id}`)
    expect((await ask(api_key, edge)).status).toBe(200)
    await nats.restart()
    await refused(api_key, 'revoked_credential', [edge])
  })
})

describe('with auth away', () => {
  it('an edge serves whom it knew for as long as it is told, and nobody else', async () => {
    const forgetting = await fleet.addEdge({ IDENTITY_CACHE_SECONDS: '0', IDENTITY_STALE_SECONDS: '0' })
    const patient = await fleet.addEdge({ IDENTITY_CACHE_SECONDS: '0', IDENTITY_STALE_SECONDS: '60' })
    const brief = await fleet.addEdge({ IDENTITY_CACHE_SECONDS: '0', IDENTITY_STALE_SECONDS: '1' })
    const [known, unknown, gone] = [await newKey(), await newKey(), await newKey()]
    await warm(known.api_key, [forgetting, patient, brief])
    await warm(owner, [patient])
    await warm(gone.api_key, [patient])
    await manage('DELETE', `/v1/auth/api-key/${gone.key_id}`)
    await refused(gone.api_key, 'revoked_credential', [patient])
    await fleet.member('auth').stop()
    try {
      expect((await ask(known.api_key, forgetting)).status).toBe(503)
      await warm(known.api_key, [patient])
      await warm(owner, [patient])
      for (const { api_key } of [unknown, gone])
        await eventually(async () => (await ask(api_key, patient)).status === 503, { description: 'a refusal' })
      await eventually(async () => (await ask(known.api_key, brief)).status === 503, {
        description: 'the end of patience',
      })
      await warm(known.api_key, [patient])
    } finally {
      await fleet.restart('auth')
    }
    await eventually(async () => (await ask(known.api_key, forgetting)).status === 200)
  })
})
