import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { builtInRoles, type PresentedCredential } from '@wp/contracts'
import { eventually } from '@wp/testkit'
import { decodeJwt } from 'jose'
import { runConcurrently, startTestAuth, subject, type TestAuth } from '../fixture/auth.ts'

let auth: TestAuth

beforeAll(async () => {
  // A connection each for those who ask at once.
  auth = await startTestAuth({ DATABASE_POOL_SIZE: '8' })
})
afterAll(() => auth.stop())

const path = '/v1/auth/admin/service-principals'
type Options = Parameters<TestAuth['request']>[2]
type Client = { client_id: string; client_secret: string }

async function create(body: Record<string, unknown> = {}, options: Options = {}) {
  const { body: answer } = await auth.request('POST', path, {
    ...options,
    body: { name: 'machine', scopes: ['data:read'], ...body },
  })
  const made: Client & Record<string, unknown> = answer.data
  return made
}

const mayExchange = async ({ client_id, client_secret }: Client) =>
  (await auth.token({ client_id, client_secret })).status === 200

/** Its tokens, as the edge presents them: whichever token it is, what is asked is who it is for. */
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

describe('creating', () => {
  it('answers the secret once', async () => {
    const body = { name: 'sync', scopes: ['data:write', 'data:read'], environment: 'sandbox' }
    const { status, headers, body: answer } = await auth.request('POST', path, { body })
    const { client_id, client_secret } = answer.data
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store'])
    expect(headers.get('location')).toBe(`http://localhost:4000${path}/${client_id}`)
    expect(answer.data).toEqual({
      client_id: expect.stringMatching(/^sp_/),
      client_secret: expect.stringMatching(/^wpcs_[A-Za-z0-9_-]{43}$/),
      workspace_id: auth.seeded.workspace_id,
      name: 'sync',
      scopes: ['data:read', 'data:write'],
      environment: 'sandbox',
      status: 'active',
      created_at: expect.any(String),
      updated_at: expect.any(String),
      last_used_at: null,
      secret_rotated_at: null,
    })
    const read = await auth.request('GET', `${path}/${client_id}`)
    expect(read.body.data).toEqual({ ...answer.data, client_secret: undefined })
    const kept = await auth.rows<{ row: string }>(
      `SELECT p::text || s::text AS row FROM service_principals p JOIN client_secrets s USING (client_id) WHERE client_id = $1`,
      [client_id],
    )
    expect(kept[0]?.row).not.toContain(client_secret)
    const told = await auth.rows<{ row: string }>(`SELECT o::text AS row FROM platform.outbox o`)
    expect(told.some(({ row }) => row.includes(client_secret))).toBe(false)
  })

  it('grants no more than the credential of the creator carries', async () => {
    const body = { name: 'payer', scopes: ['data:read', 'billing:write'] }
    const { status, body: answer } = await auth.request('POST', path, { caller: admin(), body })
    expect([status, answer.code, answer.scopes_beyond]).toEqual([403, 'scope_escalation', ['billing:write']])
  })

  it.each([[{ scopes: [] }], [{ scopes: ['data:everything'] }], [{ name: '' }], [{ environment: 'moon' }], [{ x: 1 }]])(
    'refuses %j',
    async (body) => {
      const answer = await auth.request('POST', path, { body: { name: 'x', scopes: ['data:read'], ...body } })
      expect(answer.status).toBe(400)
    },
  )
})

describe('reading', () => {
  it('lists newest first, page by page, filtered, without secrets', async () => {
    const { owner } = await auth.workspace()
    const made: Client[] = []
    for (const environment of ['production', 'sandbox', 'sandbox'])
      made.push(await create({ environment }, { caller: owner }))
    const list = async (query: string) => (await auth.request('GET', `${path}?${query}`, { caller: owner })).body
    const first = await list('limit=2')
    const second = await list(`limit=2&cursor=${first.pagination.next_cursor}`)
    const ids = [...first.data, ...second.data].map(({ client_id }: Client) => client_id)
    expect(ids).toEqual(made.toReversed().map(({ client_id }) => client_id))
    expect(JSON.stringify([first, second])).not.toContain('wpcs_')
    expect((await list('environment=sandbox')).data).toHaveLength(2)
    await auth.request('PATCH', `${path}/${ids[0]}`, { caller: owner, body: { status: 'disabled' } })
    expect((await list('status=disabled')).data.map(({ client_id }: Client) => client_id)).toEqual([ids[0]])
    expect((await list('status=active&environment=sandbox')).data).toHaveLength(1)
  })

  it('shows no other workspace’s principal, by any verb', async () => {
    const { owner } = await auth.workspace()
    const made = await create()
    for (const [method, at, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { name: 'mine' }],
      ['DELETE', '', undefined],
      ['POST', '/rotate-secret', {}],
    ] as const) {
      const answer = await auth.request(method, `${path}/${made.client_id}${at}`, { caller: owner, body })
      expect([method, answer.status]).toEqual([method, 404])
    }
    expect(await mayExchange(made)).toBe(true)
  })
})

describe('changing', () => {
  const patch = async (id: string, body: object, caller = auth.machine) =>
    await auth.request('PATCH', `${path}/${id}`, { caller, body })

  it('merges, and null clears', async () => {
    const { client_id } = await create({ environment: 'sandbox' })
    const { body } = await patch(client_id, { name: 'renamed', environment: null })
    expect(body.data).toMatchObject({ name: 'renamed', environment: null, scopes: ['data:read'], status: 'active' })
  })

  it('restricts tokens that are out already, because scopes are looked up', async () => {
    const made = await create({ scopes: ['data:read', 'data:write'] })
    const token = presentedToken(made)
    await patch(made.client_id, { scopes: ['data:read'] })
    const resolution = await auth.resolve(token)
    if (resolution.status !== 'active') throw new Error('should be active')
    expect(resolution.identity.grants[0]?.scopes).toEqual(['data:read'])
  })

  it('refuses a disabled principal at once, and does not revive its tokens when it is enabled', async () => {
    const made = await create()
    const token = presentedToken(made)
    const issued = await issuedAt(made)
    expect(await statusOf(token)).toBe('active')
    await patch(made.client_id, { status: 'disabled' })
    expect([await statusOf(token), await mayExchange(made)]).toEqual(['revoked', false])
    await patch(made.client_id, { status: 'active' })
    const resolution = await auth.resolve(token)
    if (resolution.status !== 'active') throw new Error('should be active')
    // Tokens carry whole seconds: one of this very second cannot be told from one of after.
    expect(resolution.identity.tokens_valid_after).toBeGreaterThanOrEqual(issued)
    expect(await issuedAt(made)).toBeGreaterThanOrEqual(
      resolution.identity.tokens_valid_after ?? Number.POSITIVE_INFINITY,
    )
  })

  it('lets nobody widen beyond their own credential, nor wake what is beyond it', async () => {
    const made = await create({ scopes: ['data:read', 'billing:write'] })
    const kept = await patch(made.client_id, { scopes: ['billing:write', 'data:read', 'data:write'] }, admin())
    expect([kept.status, kept.body.data.scopes]).toEqual([200, ['data:read', 'data:write', 'billing:write']])
    const narrowed = await patch(made.client_id, { scopes: ['data:read'] }, admin())
    expect(narrowed.status).toBe(200)
    const widened = await patch(made.client_id, { scopes: ['data:read', 'billing:write'] }, admin())
    expect([widened.status, widened.body.scopes_beyond]).toEqual([403, ['billing:write']])
    await patch(made.client_id, { scopes: ['billing:write'], status: 'disabled' })
    const woken = await patch(made.client_id, { status: 'active' }, admin())
    expect([woken.status, woken.body.code]).toEqual([403, 'scope_escalation'])
  })

  it('is audited with what changed', async () => {
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

describe('deleting', () => {
  it('ends tokens and secrets at once and leaves a tombstone', async () => {
    const made = await create()
    const token = presentedToken(made)
    const { status, body } = await auth.request('DELETE', `${path}/${made.client_id}`)
    expect([status, body.data]).toEqual([200, { client_id: made.client_id, deleted: true }])
    expect([await statusOf(token), await mayExchange(made)]).toEqual(['revoked', false])
    expect((await auth.request('GET', `${path}/${made.client_id}`)).status).toBe(404)
    expect((await auth.request('DELETE', `${path}/${made.client_id}`)).status).toBe(404)
    expect(await auth.rows('SELECT FROM client_secrets WHERE client_id = $1', [made.client_id])).toEqual([])
  })
})

describe('rotating the secret', () => {
  const rotate = async (id: string, body: object = {}, caller = auth.machine) =>
    await auth.request('POST', `${path}/${id}/rotate-secret`, { caller, body })

  it('ends the old one at once without an overlap, and lets tokens live', async () => {
    const made = await create()
    const token = presentedToken(made)
    const { status, headers, body } = await rotate(made.client_id)
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(body.data).toMatchObject({ client_id: made.client_id, secret_rotated_at: expect.any(String) })
    expect([await mayExchange(made), await mayExchange(body.data)]).toEqual([false, true])
    expect(await statusOf(token)).toBe('active')
  })

  it('lets both work while the overlap lasts', async () => {
    const made = await create()
    const { body } = await rotate(made.client_id, { overlap_seconds: 600 })
    expect([await mayExchange(made), await mayExchange(body.data)]).toEqual([true, true])
    await auth.rows(
      `UPDATE client_secrets SET expires_at = now() - interval '1 ms' WHERE client_id = $1 AND expires_at IS NOT NULL`,
      [made.client_id],
    )
    expect([await mayExchange(made), await mayExchange(body.data)]).toEqual([false, true])
  })

  it('leaves exactly one secret when five ask at once', async () => {
    const made = await create()
    const row = { table: 'service_principals', field: 'client_id', value: made.client_id }
    const asks = Array.from({ length: 5 }, () => () => rotate(made.client_id))
    const answers = await runConcurrently(auth, row, asks)
    const live = await Promise.all([made, ...answers.map(({ body }) => body.data)].map(mayExchange))
    expect(live.filter(Boolean)).toHaveLength(1)
  })

  it('shows nobody a secret for more than they may do', async () => {
    const made = await create({ scopes: ['billing:write'] })
    const { status, body } = await rotate(made.client_id, {}, admin())
    expect([status, body.code]).toEqual([403, 'scope_escalation'])
    expect(await mayExchange(made)).toBe(true)
  })
})

describe('what others hear', () => {
  it('is an invalidation of the principal whenever its standing changes', async () => {
    const heard: string[] = []
    auth.context.bus.subscribe('invalidate.identities', (data) => heard.push(JSON.stringify(data)))
    await eventually(() => {
      auth.context.bus.publish('invalidate.identities', { credential_id: 'probe' })
      return heard.length > 0
    })
    const { client_id } = await create()
    await auth.request('PATCH', `${path}/${client_id}`, { body: { name: 'quiet' } })
    await auth.request('PATCH', `${path}/${client_id}`, { body: { scopes: ['data:write'] } })
    await auth.request('PATCH', `${path}/${client_id}`, { body: { status: 'disabled' } })
    await auth.request('DELETE', `${path}/${client_id}`)
    const about = () => heard.filter((text) => text.includes(client_id))
    await eventually(() => about().length >= 3)
    expect(about()).toEqual(Array.from({ length: 3 }, () => JSON.stringify({ principal_id: client_id })))
  })
})
