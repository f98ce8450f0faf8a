import { afterAll, describe, expect, it } from '@jest/globals'
import { builtInRoles, type PresentedCredential } from '@wp/contracts'
import { eventually } from '@wp/testkit'
import { decodeJwt } from 'jose'
import { recordInvalidations, runConcurrently, startTestAuth, subject, type TestAuth } from '../fixture/auth.ts'
import { expectExpiry } from '../fixture/expiry.ts'

// One connection for each concurrent request.
const auth = await startTestAuth({ DATABASE_POOL_SIZE: '8' })
afterAll(() => auth.stop())

const path = '/v1/auth/admin/service-principals'
type Options = Parameters<TestAuth['request']>[2]
type Client = { client_id: string; client_secret: string }

async function create(body: Record<string, unknown> = {}, options: Options = {}) {
  const { body: response } = await auth.request('POST', path, {
    ...options,
    body: { name: 'machine', scopes: ['data:read'], ...body },
  })
  const created: Client & Record<string, unknown> = response.data
  return created
}

const mayExchange = async ({ client_id, client_secret }: Client) =>
  (await auth.token({ client_id, client_secret })).status === 200

/** Returns a token of the client as the edge presents it; resolution depends only on its principal. */
const presentedToken = ({ client_id }: Client): Extract<PresentedCredential, { type: 'token' }> => ({
  type: 'token',
  principal_id: client_id,
  principal_type: 'service_principal',
})

const issuedAt = async ({ client_id, client_secret }: Client) =>
  decodeJwt((await auth.token({ client_id, client_secret })).body.access_token).iat ?? 0

const statusOf = async (presented: PresentedCredential) => (await auth.resolve(presented)).status

const admin = () =>
  subject('user', auth.seeded.owner_user_id, auth.seeded.workspace_id, auth.context.shard, builtInRoles.admin)

describe('the creator of a service principal', () => {
  it('is shown, and flagged once it is removed', async () => {
    const { owner, userId, workspaceId } = await auth.workspace()
    const scopes = ['auth:admin', 'auth:read']
    const make = async (caller: typeof owner, name: string) =>
      (await auth.request('POST', path, { caller, body: { name, scopes } })).body.data.client_id
    const byUser = await make(owner, 'by a user')
    const machine = subject('service_principal', byUser, workspaceId, auth.context.shard, builtInRoles.admin)
    const byMachine = await make(machine, 'by a machine')
    type Shown = { client_id: string; created_by: string; creator_removed: boolean }
    const shown = async () => {
      const { data } = (await auth.request('GET', path, { caller: owner })).body
      return Object.fromEntries(data.map((row: Shown) => [row.client_id, [row.created_by, row.creator_removed]]))
    }
    expect(await shown()).toEqual({ [byUser]: [userId, false], [byMachine]: [byUser, false] })
    await auth.rows('DELETE FROM memberships WHERE user_id = $1', [userId])
    expect(await shown()).toEqual({ [byUser]: [userId, true], [byMachine]: [byUser, false] })
    await auth.request('DELETE', `${path}/${byUser}`, { caller: machine })
    const { body } = await auth.request('GET', `${path}/${byMachine}`, { caller: owner })
    expect(body.data).toMatchObject({ created_by: byUser, creator_removed: true })
  })
})

describe('service principal creation', () => {
  it('returns the secret once and stores only its hash', async () => {
    const body = { name: 'sync', scopes: ['data:write', 'data:read'], environment: 'sandbox' }
    const { status, headers, body: response } = await auth.request('POST', path, { body })
    const { client_id, client_secret } = response.data
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store'])
    expect(headers.get('location')).toBe(`http://localhost:4000${path}/${client_id}`)
    expect(response.data).toEqual({
      client_id: expect.stringMatching(/^sp_/),
      client_secret: expect.stringMatching(/^wpcs_[A-Za-z0-9_-]{43}$/),
      workspace_id: auth.seeded.workspace_id,
      name: 'sync',
      scopes: ['data:read', 'data:write'],
      environment: 'sandbox',
      status: 'active',
      created_by: expect.stringMatching(/^(usr|sp)_/),
      creator_removed: false,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      last_used_at: null,
      secret_rotated_at: null,
    })
    const read = await auth.request('GET', `${path}/${client_id}`)
    expect(read.body.data).toEqual({ ...response.data, client_secret: undefined })
    const stored = await auth.rows<{ row: string }>(
      `SELECT p::text || s::text AS row FROM service_principals p JOIN client_secrets s USING (client_id) WHERE client_id = $1`,
      [client_id],
    )
    expect(stored[0]?.row).not.toContain(client_secret)
    const outbox = await auth.rows<{ row: string }>(`SELECT o::text AS row FROM platform.outbox o`)
    expect(outbox.some(({ row }) => row.includes(client_secret))).toBe(false)
  })

  it('rejects scopes the creator does not have', async () => {
    const body = { name: 'payer', scopes: ['data:read', 'billing:write'] }
    const { status, body: response } = await auth.request('POST', path, { caller: admin(), body })
    expect([status, response.code, response.scopes_beyond]).toEqual([403, 'scope_escalation', ['billing:write']])
  })

  it.each([[{ scopes: [] }], [{ scopes: ['data:everything'] }], [{ name: '' }], [{ environment: 'moon' }], [{ x: 1 }]])(
    'rejects the body %j',
    async (body) => {
      const response = await auth.request('POST', path, { body: { name: 'x', scopes: ['data:read'], ...body } })
      expect(response.status).toBe(400)
    },
  )
})

describe('reading service principals', () => {
  it('lists newest first, in pages, filtered, without secrets', async () => {
    const { owner } = await auth.workspace()
    const created: Client[] = []
    for (const environment of ['production', 'sandbox', 'sandbox'])
      created.push(await create({ environment }, { caller: owner }))
    const list = async (query: string) => (await auth.request('GET', `${path}?${query}`, { caller: owner })).body
    const first = await list('limit=2')
    const second = await list(`limit=2&cursor=${first.pagination.next_cursor}`)
    const ids = [...first.data, ...second.data].map(({ client_id }: Client) => client_id)
    expect(ids).toEqual(created.toReversed().map(({ client_id }) => client_id))
    expect(JSON.stringify([first, second])).not.toContain('wpcs_')
    expect((await list('environment=sandbox')).data).toHaveLength(2)
    await auth.request('PATCH', `${path}/${ids[0]}`, { caller: owner, body: { status: 'disabled' } })
    expect((await list('status=disabled')).data.map(({ client_id }: Client) => client_id)).toEqual([ids[0]])
    expect((await list('status=active&environment=sandbox')).data).toHaveLength(1)
  })
})

describe('updating a service principal', () => {
  const patch = async (id: string, body: object, caller = auth.machine) =>
    await auth.request('PATCH', `${path}/${id}`, { caller, body })

  it('merges fields and clears them with null', async () => {
    const { client_id } = await create({ environment: 'sandbox' })
    const { body } = await patch(client_id, { name: 'renamed', environment: null })
    expect(body.data).toMatchObject({ name: 'renamed', environment: null, scopes: ['data:read'], status: 'active' })
  })

  it('applies reduced scopes to tokens issued before', async () => {
    const created = await create({ scopes: ['data:read', 'data:write'] })
    const token = presentedToken(created)
    await patch(created.client_id, { scopes: ['data:read'] })
    const resolution = await auth.resolve(token)
    if (resolution.status !== 'active') throw new Error('should be active')
    expect(resolution.identity.grants[0]?.scopes).toEqual(['data:read'])
  })

  it('revokes tokens at once when disabled and keeps them revoked when enabled again', async () => {
    const created = await create()
    const token = presentedToken(created)
    const issued = await issuedAt(created)
    expect(await statusOf(token)).toBe('active')
    await patch(created.client_id, { status: 'disabled' })
    expect([await statusOf(token), await mayExchange(created)]).toEqual(['revoked', false])
    await patch(created.client_id, { status: 'active' })
    const resolution = await auth.resolve(token)
    if (resolution.status !== 'active') throw new Error('should be active')
    // Issue times have whole seconds, so a token of the same second may count as issued before or after.
    expect(resolution.identity.tokens_valid_after).toBeGreaterThanOrEqual(issued)
    expect(await issuedAt(created)).toBeGreaterThanOrEqual(
      resolution.identity.tokens_valid_after ?? Number.POSITIVE_INFINITY,
    )
  })

  it('rejects adding scopes or enabling scopes the caller does not have', async () => {
    const created = await create({ scopes: ['data:read', 'billing:write'] })
    const stored = await patch(created.client_id, { scopes: ['billing:write', 'data:read', 'data:write'] }, admin())
    expect([stored.status, stored.body.data.scopes]).toEqual([200, ['data:read', 'data:write', 'billing:write']])
    const narrowed = await patch(created.client_id, { scopes: ['data:read'] }, admin())
    expect(narrowed.status).toBe(200)
    const widened = await patch(created.client_id, { scopes: ['data:read', 'billing:write'] }, admin())
    expect([widened.status, widened.body.scopes_beyond]).toEqual([403, ['billing:write']])
    await patch(created.client_id, { scopes: ['billing:write'], status: 'disabled' })
    const woken = await patch(created.client_id, { status: 'active' }, admin())
    expect([woken.status, woken.body.code]).toEqual([403, 'scope_escalation'])
  })

  it('emits an audit event with the changes', async () => {
    const { client_id } = await create()
    await patch(client_id, { status: 'disabled' })
    const [row] = await auth.rows<{ data: Record<string, unknown> }>(
      `SELECT data FROM platform.outbox WHERE data->>'action' = 'service_principal.updated' AND data::text LIKE $1`,
      [`%${client_id}%`],
    )
    expect(row?.data).toMatchObject({
      actor: { id: auth.machine.principal.id, type: 'service_principal' },
      targets: [{ type: 'service_principal', id: client_id }],
      changes: { status: 'disabled' },
    })
  })
})

describe('deleting a service principal', () => {
  it('revokes tokens and secrets at once and leaves a tombstone', async () => {
    const created = await create()
    const token = presentedToken(created)
    const { status, body } = await auth.request('DELETE', `${path}/${created.client_id}`)
    expect([status, body.data]).toEqual([200, { client_id: created.client_id, deleted: true }])
    expect([await statusOf(token), await mayExchange(created)]).toEqual(['revoked', false])
    expect((await auth.request('GET', `${path}/${created.client_id}`)).status).toBe(404)
    expect((await auth.request('DELETE', `${path}/${created.client_id}`)).status).toBe(404)
    expect(await auth.rows('SELECT FROM client_secrets WHERE client_id = $1', [created.client_id])).toEqual([])
  })
})

describe('rotating a client secret', () => {
  const rotate = async (id: string, body: object = {}, caller = auth.machine) =>
    await auth.request('POST', `${path}/${id}/rotate-secret`, { caller, body })

  it('rejects the old secret at once without an overlap and keeps issued tokens valid', async () => {
    const created = await create()
    const token = presentedToken(created)
    const { status, headers, body } = await rotate(created.client_id, { overlap_seconds: 0 })
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(body.data).toMatchObject({ client_id: created.client_id, secret_rotated_at: expect.any(String) })
    expect(body.data.previous_expires_at).toBeNull()
    expect([await mayExchange(created), await mayExchange(body.data)]).toEqual([false, true])
    expect(await statusOf(token)).toBe('active')
  })

  it('accepts the old secret for a day by default', async () => {
    const created = await create()
    const expiryOfOldSecret = async () => {
      const [old] = await auth.rows<{ expiresAt: Date }>(
        'SELECT expires_at FROM client_secrets WHERE client_id = $1 AND expires_at IS NOT NULL',
        [created.client_id],
      )
      return old?.expiresAt ?? new Date(0)
    }
    await expectExpiry(
      async () => {
        const { body } = await rotate(created.client_id)
        expect(body.data.previous_expires_at).toBe((await expiryOfOldSecret()).toISOString())
        return await expiryOfOldSecret()
      },
      (expiresAt) => expiresAt,
      86_400_000,
    )
    expect(await mayExchange(created)).toBe(true)
  })

  it('accepts both secrets during the overlap', async () => {
    const created = await create()
    const { body } = await rotate(created.client_id, { overlap_seconds: 600 })
    expect([await mayExchange(created), await mayExchange(body.data)]).toEqual([true, true])
    await auth.rows(
      `UPDATE client_secrets SET expires_at = now() - interval '1 ms' WHERE client_id = $1 AND expires_at IS NOT NULL`,
      [created.client_id],
    )
    expect([await mayExchange(created), await mayExchange(body.data)]).toEqual([false, true])
  })

  it('leaves one valid secret when five rotations are concurrent', async () => {
    const created = await create()
    const row = { table: 'service_principals', field: 'client_id', value: created.client_id }
    const requests = Array.from({ length: 5 }, () => () => rotate(created.client_id, { overlap_seconds: 0 }))
    const responses = await runConcurrently(auth, row, requests)
    const live = await Promise.all([created, ...responses.map(({ body }) => body.data)].map(mayExchange))
    expect(live.filter(Boolean)).toHaveLength(1)
  })

  it('rejects a caller without all scopes of the service principal', async () => {
    const created = await create({ scopes: ['billing:write'] })
    const { status, body } = await rotate(created.client_id, {}, admin())
    expect([status, body.code]).toEqual([403, 'scope_escalation'])
    expect(await mayExchange(created)).toBe(true)
  })
})

describe('invalidations of service principals', () => {
  it('are published for each change of scopes, status or existence', async () => {
    const invalidations = await recordInvalidations(auth)
    const { client_id } = await create()
    await auth.request('PATCH', `${path}/${client_id}`, { body: { name: 'quiet' } })
    await auth.request('PATCH', `${path}/${client_id}`, { body: { scopes: ['data:write'] } })
    await auth.request('PATCH', `${path}/${client_id}`, { body: { status: 'disabled' } })
    await auth.request('DELETE', `${path}/${client_id}`)
    const about = () => invalidations.filter((text) => text.includes(client_id))
    await eventually(() => about().length >= 3)
    expect(about()).toEqual(Array.from({ length: 3 }, () => JSON.stringify({ principal_id: client_id })))
  })
})
