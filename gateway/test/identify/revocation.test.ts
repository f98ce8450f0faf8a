import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually, startNats, startTestFleet, type TestResponse } from '@wp/testkit'
import { Client } from 'pg'

const scoped = '/v1/data/sources'

const nats = await startNats()
const fleet = await startTestFleet({ services: ['auth', 'system', 'data'], natsUrl: nats.url })
/** A second edge, with an identity cache of its own. */
const second = await fleet.addEdge()
const owner = await fleet.token(fleet.owner)
const database = new Client({ connectionString: fleet.databases.get('auth')?.adminUrl })
await database.connect()
afterAll(async () => {
  await database.end()
  await fleet.stop()
  await nats.stop()
})

type EdgeAddress = { baseUrl: string }
const request = (as: string, edge: EdgeAddress, headers: Record<string, string> = {}) =>
  fleet.request('GET', scoped, { as, edge, headers })

const manage = async (method: string, path: string, body?: unknown): Promise<TestResponse> => {
  const response = await fleet.request(method, path, { as: owner, ...(body === undefined ? {} : { body }) })
  if (response.status > 299) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`)
  return response
}

/**
 * Makes every edge cache the identity of a credential. An edge that joins while the others reconnect to the broker has
 * no part of the rate limit for a moment and rejects requests with 429.
 */
async function warm(as: string, edges: readonly EdgeAddress[] = [fleet, second], headers: Record<string, string> = {}) {
  for (const edge of edges) {
    const admitted = await eventually(async () => {
      const response = await request(as, edge, headers)
      return response.status !== 429 && response
    })
    expect(admitted.status).toBe(200)
  }
}

/** Waits until every edge rejects a credential: within half the cache time, so because of an invalidation. */
async function waitForRejection(
  as: string,
  code: string,
  edges: readonly EdgeAddress[] = [fleet, second],
  headers: Record<string, string> = {},
) {
  for (const edge of edges)
    await eventually(async () => (await request(as, edge, headers)).body.code === code, {
      description: `${code} at every edge`,
    })
}

const newKey = async () => (await manage('POST', '/v1/auth/api-key', { name: 'short-lived' })).body.data

let serial = 0
/** Creates a member of the owner's workspace and signs them in. */
async function createMember(role: { builtIn: string } | { id: string }) {
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

describe('an edge rejects a cached credential', () => {
  it('when its key is deleted', async () => {
    const { key_id, api_key } = await newKey()
    await warm(api_key)
    await manage('DELETE', `/v1/auth/api-key/${key_id}`)
    await waitForRejection(api_key, 'revoked_credential')
  })

  it('when its key is rotated without an overlap', async () => {
    const { key_id, api_key } = await newKey()
    await warm(api_key)
    await manage('POST', `/v1/auth/api-key/${key_id}/rotate`, { overlap_seconds: 0 })
    await waitForRejection(api_key, 'revoked_credential')
  })

  it('when its service principal is disabled or deleted', async () => {
    for (const end of ['PATCH', 'DELETE']) {
      const path = '/v1/auth/admin/service-principals'
      const { client_id, client_secret } = (await manage('POST', path, { name: end, scopes: ['data:read'] })).body.data
      const token = await fleet.token({ ...fleet.owner, clientId: client_id, clientSecret: client_secret })
      await warm(token)
      await manage(end, `${path}/${client_id}`, end === 'PATCH' ? { status: 'disabled' } : undefined)
      await waitForRejection(token, 'revoked_credential')
    }
  })

  it('when its session ends', async () => {
    const { token } = await createMember({ builtIn: 'member' })
    await warm(token)
    const { body } = await fleet.request('GET', '/v1/auth/sessions', { as: token })
    const path = `/v1/auth/sessions/${body.data[0].id}`
    expect((await fleet.request('DELETE', path, { as: token })).status).toBe(200)
    await waitForRejection(token, 'revoked_credential')
  })

  it('when the member is removed, and the keys of the member with it', async () => {
    const { token, path } = await createMember({ builtIn: 'admin' })
    const headers = { 'x-workspace-key': fleet.owner.workspaceId }
    const made = await fleet.request('POST', '/v1/auth/api-key', { as: token, body: {} })
    const { api_key } = made.body.data
    await warm(token, [fleet, second], headers)
    await warm(api_key)
    await manage('DELETE', `${path}?revoke_keys=true`)
    await waitForRejection(token, 'workspace_forbidden', [fleet, second], headers)
    await waitForRejection(api_key, 'revoked_credential')
  })

  it('when the member gets a role with fewer scopes', async () => {
    const { role_id } = (await manage('POST', '/v1/auth/admin/roles', { name: 'blind', scopes: ['audit:read'] })).body
      .data
    const { token, path } = await createMember({ builtIn: 'viewer' })
    await warm(token)
    await manage('PATCH', path, { role: role_id })
    await waitForRejection(token, 'missing_scope')
  })

  it('when scopes are removed from the role', async () => {
    const scopes = ['data:read', 'audit:read']
    const { role_id } = (await manage('POST', '/v1/auth/admin/roles', { name: 'shrinking', scopes })).body.data
    const { token } = await createMember({ id: role_id })
    await warm(token)
    await manage('PATCH', `/v1/auth/admin/roles/${role_id}`, { scopes: ['audit:read'] })
    await waitForRejection(token, 'missing_scope')
  })
})

describe('a new workspace', () => {
  it('is accessible at every edge at once, to its owner only', async () => {
    const { token } = await createMember({ builtIn: 'member' })
    await warm(token)
    const { token: other } = await createMember({ builtIn: 'member' })
    for (const creating of [fleet, second]) {
      const created = await fleet.request('POST', '/v1/system/workspaces', {
        as: token,
        edge: creating,
        body: { name: 'Mine' },
      })
      expect(created.status).toBe(201)
      const headers = { 'x-workspace-key': created.body.data.workspace_id }
      for (const edge of [second, fleet]) {
        const response = await fleet.request('GET', '/v1/system/workspace', { as: token, edge: edge, headers })
        expect(response.body).toMatchObject({ data: { role: 'owner', workspace_id: created.body.data.workspace_id } })
        expect((await request(other, edge, headers)).body.code).toBe('workspace_forbidden')
      }
    }
    // none of several workspaces is the default
    expect((await request(token, fleet)).body.code).toBe('workspace_required')
    await warm(token, [fleet, second], { 'x-workspace-key': fleet.owner.workspaceId })
    const { api_key } = await newKey()
    const headers = { 'x-workspace-key': fleet.stranger.workspaceId }
    expect((await request(api_key, fleet, headers)).body.code).toBe('workspace_mismatch')
  })
})

/** Revokes a key as an auth process does that is killed between its commit and its message. */
const revokeSilently = (keyId: string) =>
  database.query('UPDATE api_keys SET deleted_at = now() WHERE key_id = $1', [keyId])

describe('an edge rejects a cached credential by the change log', () => {
  it('when auth was killed between the commit and the message', async () => {
    const { key_id, api_key } = await newKey()
    await warm(api_key)
    await revokeSilently(key_id)
    await waitForRejection(api_key, 'revoked_credential')
  })

  it('when auth was away for the change and came back', async () => {
    const { key_id, api_key } = await newKey()
    await warm(api_key)
    await fleet.member('auth').stop()
    try {
      await revokeSilently(key_id)
      await warm(api_key) // stale: no edge can know
    } finally {
      await fleet.restart('auth')
    }
    await waitForRejection(api_key, 'revoked_credential')
  })

  it('when the edge is connected to a broker that auth is not, and when the log was truncated', async () => {
    const island = await startNats()
    try {
      const edge = await fleet.addEdge({ NATS_URL: island.url, IDENTITY_STALE_SECONDS: '0' })
      const [first, second] = [await newKey(), await newKey()]
      for (const { api_key } of [first, second]) await warm(api_key, [edge])
      await revokeSilently(first.key_id)
      await waitForRejection(first.api_key, 'revoked_credential', [edge])
      await revokeSilently(second.key_id)
      await database.query('DELETE FROM identity_changes')
      await waitForRejection(second.api_key, 'revoked_credential', [edge])
      await edge.member.stop()
    } finally {
      await island.stop()
    }
  })
})

describe('while the broker is unavailable', () => {
  it('a revocation takes effect because the edge reads the change log, and after the broker returned', async () => {
    const edge = await fleet.addEdge()
    const [first, second] = [await newKey(), await newKey()]
    for (const { api_key } of [first, second]) await warm(api_key, [edge])
    await nats.kill()
    try {
      await manage('DELETE', `/v1/auth/api-key/${first.key_id}`)
      await waitForRejection(first.api_key, 'revoked_credential', [edge])
    } finally {
      await nats.restart()
    }
    await manage('DELETE', `/v1/auth/api-key/${second.key_id}`)
    await waitForRejection(second.api_key, 'revoked_credential', [edge])
  })

  it('a revocation takes effect when the cached identity expires on an edge without the change log', async () => {
    const short = await fleet.addEdge({ IDENTITY_CACHE_SECONDS: '1', IDENTITY_PROVEN_CACHE_SECONDS: '0' })
    const { key_id, api_key } = await newKey()
    await warm(api_key, [short])
    await nats.kill()
    await manage('DELETE', `/v1/auth/api-key/${key_id}`)
    await waitForRejection(api_key, 'revoked_credential', [short])
    await nats.restart()
  })
})

describe('while auth is unavailable', () => {
  it('an edge accepts cached credentials for the configured time only', async () => {
    const withoutStale = await fleet.addEdge({
      IDENTITY_CACHE_SECONDS: '0',
      IDENTITY_PROVEN_CACHE_SECONDS: '0',
      IDENTITY_STALE_SECONDS: '0',
    })
    const longStale = await fleet.addEdge({
      IDENTITY_CACHE_SECONDS: '0',
      IDENTITY_PROVEN_CACHE_SECONDS: '0',
      IDENTITY_STALE_SECONDS: '60',
    })
    const shortStale = await fleet.addEdge({
      IDENTITY_CACHE_SECONDS: '0',
      IDENTITY_PROVEN_CACHE_SECONDS: '0',
      IDENTITY_STALE_SECONDS: '1',
    })
    const [cached, uncached, revoked] = [await newKey(), await newKey(), await newKey()]
    await warm(cached.api_key, [withoutStale, longStale, shortStale])
    await warm(owner, [longStale])
    await warm(revoked.api_key, [longStale])
    await manage('DELETE', `/v1/auth/api-key/${revoked.key_id}`)
    await waitForRejection(revoked.api_key, 'revoked_credential', [longStale])
    await fleet.member('auth').stop()
    try {
      expect((await request(cached.api_key, withoutStale)).status).toBe(503)
      await warm(cached.api_key, [longStale])
      await warm(owner, [longStale])
      for (const { api_key } of [uncached, revoked])
        await eventually(async () => (await request(api_key, longStale)).status === 503, { description: 'a rejection' })
      await eventually(async () => (await request(cached.api_key, shortStale)).status === 503, {
        description: 'the end of the stale time',
      })
      await warm(cached.api_key, [longStale])
    } finally {
      await fleet.restart('auth')
    }
    await eventually(async () => (await request(cached.api_key, withoutStale)).status === 200)
  })
})
