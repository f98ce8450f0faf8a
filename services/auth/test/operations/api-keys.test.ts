import { afterAll, describe, expect, it } from '@jest/globals'
import { builtInRoles, type Identity, scopes } from '@wp/contracts'
import { eventually } from '@wp/testkit'
import {
  presentApiKey,
  recordInvalidations,
  runConcurrently,
  startTestAuth,
  subject,
  type TestAuth,
} from '../fixture/auth.ts'
import { expectExpiry } from '../fixture/expiry.ts'
import { createPeopleFixture } from '../fixture/people.ts'

// One connection for each concurrent request.
const auth = await startTestAuth({ DATABASE_POOL_SIZE: '8' })
const people = createPeopleFixture(auth)
afterAll(() => auth.stop())

const path = '/v1/auth/api-key'

async function create(body?: Record<string, unknown>, options: Parameters<TestAuth['request']>[2] = {}) {
  const { body: response } = await auth.request('POST', path, { ...options, ...(body === undefined ? {} : { body }) })
  const created: { key_id: string; api_key: string; scopes: string[]; last4: string } = response.data
  return created
}

const statusOf = async (apiKey: string) => (await auth.resolve(presentApiKey(apiKey))).status

async function identityOf(apiKey: string): Promise<Identity> {
  const resolution = await auth.resolve(presentApiKey(apiKey))
  if (resolution.status !== 'active') throw new Error(`expected an active key, not ${resolution.status}`)
  return resolution.identity
}

describe('API key creation', () => {
  it('returns the key once, also without a request body', async () => {
    const { status, headers, body } = await auth.request('POST', path)
    const { key_id, api_key } = body.data
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`http://localhost:4000${path}/${key_id}`)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(api_key).toMatch(
      /^key_[a-z0-9]{1,16}\.TST\.ws_[0-9a-z]{26}\.[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
    expect(api_key.split('.').slice(0, 3)).toEqual([`key_${auth.context.shard}`, 'TST', auth.seeded.workspace_id])
    expect(body.data).toEqual({
      key_id: expect.stringMatching(/^akey_/),
      api_key,
      name: null,
      scopes: [...scopes],
      last4: api_key.slice(-4),
      created_at: expect.any(String),
      expires_at: null,
    })
  })

  it('stores only the hash of the key', async () => {
    const { api_key } = await create({ name: 'hashed' })
    const stored = await auth.rows<{ row: string }>(
      `SELECT k::text || s::text AS row FROM api_keys k JOIN api_key_secrets s USING (key_id) WHERE k.name = 'hashed'`,
    )
    expect(stored).toHaveLength(1)
    expect(stored[0]?.row).not.toContain(api_key.slice(-36))
    expect(stored[0]?.row).toContain(presentApiKey(api_key).hash)
  })

  it('grants the requested scopes in catalog order without duplicates', async () => {
    const created = await create({ scopes: ['data:write', 'data:read', 'data:write'] })
    expect(created.scopes).toEqual(['data:read', 'data:write'])
  })

  it('rejects scopes the creator does not have and names them', async () => {
    const member = subject(
      'user',
      auth.seeded.owner_user_id,
      auth.seeded.workspace_id,
      auth.context.shard,
      builtInRoles.member,
    )
    const left = await create({}, { caller: member })
    expect(left.scopes).toEqual(scopes.filter((scope) => builtInRoles.member.includes(scope)))
    const beyond = await auth.request('POST', path, {
      caller: member,
      body: { scopes: ['data:read', 'billing:write', 'auth:admin'] },
    })
    expect([beyond.status, beyond.body.code]).toEqual([403, 'scope_escalation'])
    expect(beyond.body.detail).toContain('billing:write, auth:admin')
    expect(beyond.body.scopes_beyond).toEqual(['billing:write', 'auth:admin'])
  })

  it.each([
    [{ expires_at: '2020-01-01T00:00:00.000Z' }, '/expires_at'],
    [{ scopes: [] }, '/scopes'],
    [{ scopes: ['data:everything'] }, '/scopes/0'],
    [{ name: '' }, '/name'],
    [{ owner: 'me' }, '/owner'],
  ])('rejects the body %j', async (body, pointer) => {
    const response = await auth.request('POST', path, { body })
    expect([response.status, response.body.errors[0].pointer]).toEqual([400, pointer])
  })

  it('requires a bearer token with the scope auth:keys', async () => {
    const { workspace_id, key_id } = auth.seeded
    const key = await auth.request('POST', path, {
      caller: subject('api_key', key_id, workspace_id, auth.context.shard),
    })
    expect([key.status, key.body.code]).toEqual([403, 'bearer_required'])
    const viewer = subject('user', auth.seeded.owner_user_id, workspace_id, auth.context.shard, builtInRoles.viewer)
    const rejected = await auth.request('POST', path, { caller: viewer })
    expect([rejected.status, rejected.body.code]).toEqual([403, 'missing_scope'])
  })

  it('does not return the secret again when an idempotency key is repeated', async () => {
    const options = { headers: { 'idempotency-key': 'once' }, body: { name: 'idempotent' } }
    const [first, second] = [await auth.request('POST', path, options), await auth.request('POST', path, options)]
    expect(first.status).toBe(201)
    expect([second.status, second.body.code, second.body.key_id]).toEqual([
      409,
      'secret_not_replayable',
      first.body.data.key_id,
    ])
    const stored = await auth.rows<{ response: string }>(`SELECT response::text FROM platform.idempotency`)
    expect(stored.some(({ response }) => response.includes(first.body.data.api_key))).toBe(false)
  })
})

describe('reading API keys', () => {
  it('lists the keys of the workspace newest first, in pages, without secrets', async () => {
    const { owner } = await auth.workspace()
    const created = []
    for (const name of ['a', 'b', 'c']) created.push(await create({ name }, { caller: owner }))
    const first = await auth.request('GET', `${path}?limit=2`, { caller: owner })
    const next = first.body.pagination.next_cursor
    const second = await auth.request('GET', `${path}?limit=2&cursor=${next}`, { caller: owner })
    const listed = [...first.body.data, ...second.body.data]
    expect(listed.map(({ key_id }) => key_id)).toEqual(created.toReversed().map(({ key_id }) => key_id))
    expect([first.body.pagination.has_more, second.body.pagination]).toEqual([
      true,
      { next_cursor: null, has_more: false },
    ])
    for (const { api_key } of created) expect(JSON.stringify(listed)).not.toContain(api_key.slice(-36))
    expect(listed[0]).toEqual({
      key_id: created[2]?.key_id,
      name: 'c',
      scopes: [...scopes],
      last4: created[2]?.last4,
      created_by: owner.principal.id,
      creator_removed: false,
      created_at: expect.any(String),
      expires_at: null,
      last_used_at: null,
      rotated_at: null,
    })
  })

  it('returns one key with an ETag that supports conditional requests', async () => {
    const { key_id } = await create({ name: 'one' })
    const { status, headers, body } = await auth.request('GET', `${path}/${key_id}`)
    expect([status, body.data.name]).toEqual([200, 'one'])
    const again = await auth.request('GET', `${path}/${key_id}`, {
      headers: { 'if-none-match': String(headers.get('etag')) },
    })
    expect(again.status).toBe(304)
  })

  it('flags a key but keeps it valid when its creator is removed', async () => {
    const { owner, userId, workspaceId } = await auth.workspace()
    const byUser = await create({}, { caller: owner })
    const body = { name: 'maker', scopes: ['auth:keys', 'auth:read'] }
    const created = await auth.request('POST', '/v1/auth/admin/service-principals', { caller: owner, body })
    const clientId = created.body.data.client_id
    const maker = subject('service_principal', clientId, workspaceId, auth.context.shard, ['auth:keys'])
    const byMachine = await create({}, { caller: maker })
    await auth.request('DELETE', `/v1/auth/admin/service-principals/${clientId}`, { caller: owner })
    await auth.rows('DELETE FROM memberships WHERE user_id = $1', [userId])
    const { body: list } = await auth.request('GET', path, { caller: owner })
    expect(list.data.map((key: { creator_removed: boolean }) => key.creator_removed)).toEqual([true, true])
    expect([await statusOf(byUser.api_key), await statusOf(byMachine.api_key)]).toEqual(['active', 'active'])
  })
})

describe('the API keys of others', () => {
  /** Two members with `auth:keys`, an admin, and a key of the first member. */
  async function createTeam() {
    const { owner, workspaceId } = await auth.workspace()
    const [author, other, admin] = [
      await people.member(workspaceId),
      await people.member(workspaceId),
      await people.member(workspaceId, 'admin'),
    ]
    return { owner, author, other, admin, key: await create({ name: 'mine' }, { caller: author }) }
  }
  const requests = (keyId: string) =>
    [
      ['GET', `${path}/${keyId}`, undefined],
      ['PATCH', `${path}/${keyId}`, { name: 'taken' }],
      ['POST', `${path}/${keyId}/rotate`, {}],
      ['DELETE', `${path}/${keyId}`, undefined],
    ] as const

  it('cannot be read, renamed, rotated or deleted with auth:keys alone', async () => {
    const { author, other, key } = await createTeam()
    for (const [method, at, body] of requests(key.key_id)) {
      const rejected = await auth.request(method, at, { caller: other, ...(body === undefined ? {} : { body }) })
      expect([method, rejected.status, rejected.body]).toMatchObject([
        method,
        403,
        { code: 'missing_scope', required_scope: 'auth:admin' },
      ])
    }
    expect(await statusOf(key.api_key)).toBe('active')
    expect((await auth.request('GET', path, { caller: other })).body.data).toEqual([])
    const { body } = await auth.request('GET', path, { caller: author })
    expect(body.data).toMatchObject([{ key_id: key.key_id, name: 'mine' }])
  })

  it('are in the hands of their author and of holders of auth:admin', async () => {
    const { author, admin, key } = await createTeam()
    expect((await auth.request('GET', path, { caller: admin })).body.data).toMatchObject([{ key_id: key.key_id }])
    for (const [method, at, body] of requests(key.key_id).slice(0, 3))
      for (const caller of [author, admin])
        expect((await auth.request(method, at, { caller, ...(body === undefined ? {} : { body }) })).status).toBe(200)
    expect((await auth.request('DELETE', `${path}/${key.key_id}`, { caller: admin })).status).toBe(200)
  })

  it('are protected from an admin who was demoted since the identity was cached', async () => {
    const { owner, admin, key } = await createTeam()
    expect((await people.as(owner).change(admin.userId, 'member')).status).toBe(200)
    expect((await auth.request('DELETE', `${path}/${key.key_id}`, { caller: admin })).status).toBe(403)
    expect(await statusOf(key.api_key)).toBe('active')
  })
})

describe('renaming an API key', () => {
  it('changes the name, clears it with null and keeps it without the field', async () => {
    const { key_id } = await create({ name: 'before' })
    const rename = async (body: object) => (await auth.request('PATCH', `${path}/${key_id}`, { body })).body.data.name
    expect([await rename({ name: 'after' }), await rename({}), await rename({ name: null })]).toEqual([
      'after',
      'after',
      null,
    ])
  })
})

describe('deleting an API key', () => {
  it('revokes the key at once and returns 404 afterwards', async () => {
    const { key_id, api_key } = await create({})
    expect(await statusOf(api_key)).toBe('active')
    const { status, body } = await auth.request('DELETE', `${path}/${key_id}`)
    expect([status, body]).toEqual([200, { success: true, data: { key_id, deleted: true } }])
    expect(await statusOf(api_key)).toBe('revoked')
    expect((await auth.request('GET', `${path}/${key_id}`)).status).toBe(404)
    expect((await auth.request('DELETE', `${path}/${key_id}`)).status).toBe(404)
    expect((await auth.request('POST', `${path}/${key_id}/rotate`)).status).toBe(404)
    const { body: list } = await auth.request('GET', `${path}?limit=100`)
    expect(list.data.map((key: { key_id: string }) => key.key_id)).not.toContain(key_id)
  })

  it('succeeds once when several requests are concurrent', async () => {
    const { key_id } = await create({})
    const requests = Array.from({ length: 5 }, () => () => auth.request('DELETE', `${path}/${key_id}`))
    const responses = await runConcurrently(auth, { table: 'api_keys', field: 'key_id', value: key_id }, requests)
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404, 404])
    expect(await eventsOf(key_id)).toEqual(['API_KEY_CREATED', 'API_KEY_REVOKED'])
  })

  it('applies to every resolution that starts after it', async () => {
    const { key_id, api_key } = await create({})
    let deleted = false
    const seen: { begunAfter: boolean; status: string }[] = []
    const asking = Array.from({ length: 4 }, async () => {
      for (let round = 0; round < 15; round += 1) {
        const begunAfter = deleted
        seen.push({ begunAfter, status: await statusOf(api_key) })
      }
    })
    const deleting = auth.request('DELETE', `${path}/${key_id}`).then(() => {
      deleted = true
    })
    await Promise.all([...asking, deleting])
    const after = seen.filter(({ begunAfter }) => begunAfter)
    expect(new Set(after.map(({ status }) => status))).toEqual(new Set(['revoked']))
    expect(await statusOf(api_key)).toBe('revoked')
  })
})

describe('rotating an API key', () => {
  const rotate = async (keyId: string, body: object = {}, caller = auth.machine) =>
    await auth.request('POST', `${path}/${keyId}/rotate`, { caller, body })

  it('keeps the old secret valid for a day by default', async () => {
    const before = await create({})
    const { old } = await expectExpiry(
      async () => {
        await rotate(before.key_id)
        return { old: await identityOf(before.api_key) }
      },
      ({ old }) => String(old.expires_at),
      86_400_000,
    )
    expect(old.credential_id).toBe(before.key_id)
  })

  it('revokes the old secret at once without an overlap', async () => {
    const before = await create({ name: 'rotated', scopes: ['data:read'] })
    const { status, headers, body } = await rotate(before.key_id, { overlap_seconds: 0 })
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body.data).toMatchObject({ key_id: before.key_id, name: 'rotated', scopes: ['data:read'] })
    expect(body.data.previous_expires_at).toBeNull()
    expect(body.data.api_key).not.toBe(before.api_key)
    expect(body.data.last4).toBe(body.data.api_key.slice(-4))
    expect([await statusOf(before.api_key), await statusOf(body.data.api_key)]).toEqual(['revoked', 'active'])
    const { body: read } = await auth.request('GET', `${path}/${before.key_id}`)
    expect(read.data).toMatchObject({ last4: body.data.last4, rotated_at: expect.any(String) })
  })

  it('keeps the old secret valid until the overlap ends and resolves it with that expiry', async () => {
    const before = await create({})
    const { body, old } = await expectExpiry(
      async () => {
        const { body } = await rotate(before.key_id, { overlap_seconds: 600 })
        return { body, old: await identityOf(before.api_key) }
      },
      ({ old }) => String(old.expires_at),
      600_000,
    )
    expect(old.credential_id).toBe(before.key_id)
    expect(body.data.previous_expires_at).toBe(old.expires_at)
    expect((await identityOf(body.data.api_key)).expires_at).toBeNull()
    await auth.rows(
      `UPDATE api_key_secrets SET expires_at = now() - interval '1 ms' WHERE key_id = $1 AND expires_at IS NOT NULL`,
      [before.key_id],
    )
    expect([await statusOf(before.api_key), await statusOf(body.data.api_key)]).toEqual(['revoked', 'active'])
  })

  it('states the expiry of the key as the end of the old secret if that is sooner', async () => {
    const expires_at = new Date(auth.context.now() + 60_000).toISOString()
    const { key_id } = await create({ expires_at })
    const { body } = await rotate(key_id, { overlap_seconds: 600 })
    expect(body.data).toMatchObject({ expires_at, previous_expires_at: expires_at })
  })

  it('revokes every earlier secret when a later rotation has no overlap', async () => {
    const first = await create({})
    const second = await rotate(first.key_id, { overlap_seconds: 600 })
    const third = await rotate(first.key_id, { overlap_seconds: 0 })
    const all = [first.api_key, second.body.data.api_key, third.body.data.api_key]
    expect(await Promise.all(all.map(statusOf))).toEqual(['revoked', 'revoked', 'active'])
  })

  it('does not extend the overlap of an earlier rotation', async () => {
    const first = await create({})
    await rotate(first.key_id, { overlap_seconds: 600 })
    const { expires_at } = await identityOf(first.api_key)
    await rotate(first.key_id, { overlap_seconds: 604_800 })
    expect((await identityOf(first.api_key)).expires_at).toBe(expires_at)
  })

  it('leaves one valid secret when five rotations are concurrent', async () => {
    const { key_id, api_key } = await create({})
    const requests = Array.from({ length: 5 }, () => () => rotate(key_id, { overlap_seconds: 0 }))
    const responses = await runConcurrently(auth, { table: 'api_keys', field: 'key_id', value: key_id }, requests)
    const secrets = responses.map(({ body }) => String(body.data.api_key))
    expect(new Set(secrets).size).toBe(5)
    const statuses = await Promise.all([api_key, ...secrets].map(statusOf))
    expect(statuses.filter((status) => status === 'active')).toHaveLength(1)
    const current = secrets[statuses.indexOf('active') - 1]
    const { body } = await auth.request('GET', `${path}/${key_id}`)
    expect(body.data.last4).toBe(current?.slice(-4))
  })

  it('rejects a caller without all scopes of the key', async () => {
    const { key_id, api_key } = await create({ scopes: ['billing:write'] }, { caller: auth.owner })
    const member = subject(
      'user',
      auth.seeded.owner_user_id,
      auth.seeded.workspace_id,
      auth.context.shard,
      builtInRoles.member,
    )
    const { status, body } = await rotate(key_id, {}, member)
    expect([status, body.code]).toEqual([403, 'scope_escalation'])
    expect(await statusOf(api_key)).toBe('active')
  })

  it('returns 409 when the key has expired', async () => {
    const { key_id, api_key } = await create({ expires_at: new Date(Date.now() + 60_000).toISOString() })
    await auth.rows(`UPDATE api_keys SET expires_at = now() - interval '1 s' WHERE key_id = $1`, [key_id])
    expect(await statusOf(api_key)).toBe('expired')
    const { status, body } = await rotate(key_id)
    expect([status, body.code]).toEqual([409, 'conflict'])
  })

  it.each([[{ overlap_seconds: -1 }], [{ overlap_seconds: 604_801 }], [{ overlap_seconds: 1.5 }], [{ overlap: 1 }]])(
    'rejects the body %j',
    async (body) => {
      const { key_id } = await create({})
      expect((await rotate(key_id, body)).status).toBe(400)
    },
  )
})

describe('events of API keys', () => {
  it('emits an event per creation and deletion and an audit event per change, without secrets', async () => {
    const { key_id, api_key } = await create({ name: 'created' })
    const rotated = await auth.request('POST', `${path}/${key_id}/rotate`)
    await auth.request('PATCH', `${path}/${key_id}`, { body: { name: 'renamed' } })
    await auth.request('DELETE', `${path}/${key_id}`)
    const rows = await auth.rows<{ kind: string; workspaceId: string; data: Record<string, unknown>; row: string }>(
      `SELECT kind, workspace_id, data, o::text AS row FROM platform.outbox o WHERE o::text LIKE '%' || $1 || '%' ORDER BY position`,
      [key_id],
    )
    expect(rows.map(({ kind, data }) => (kind === 'AUDIT_RECORDED' ? data.action : kind))).toEqual([
      'API_KEY_CREATED',
      'api_key.created',
      'api_key.rotated',
      'api_key.updated',
      'API_KEY_REVOKED',
      'api_key.deleted',
    ])
    expect(rows[0]?.data).toEqual({ id: key_id, status: 'active', name: 'created' })
    expect(rows[4]?.data).toEqual({ id: key_id, status: 'revoked', name: 'renamed' })
    expect(new Set(rows.map(({ workspaceId }) => workspaceId))).toEqual(new Set([auth.seeded.workspace_id]))
    const text = rows.map(({ row }) => row).join()
    for (const secret of [api_key, String(rotated.body.data.api_key)]) expect(text).not.toContain(secret.slice(-36))
  })

  it('publishes an invalidation for each change that ends a secret', async () => {
    const invalidations = await recordInvalidations(auth)
    const { key_id } = await create({})
    await auth.request('POST', `${path}/${key_id}/rotate`)
    await auth.request('PATCH', `${path}/${key_id}`, { body: { name: 'quiet' } })
    await auth.request('DELETE', `${path}/${key_id}`)
    const about = () => invalidations.filter((text) => text.includes(key_id))
    await eventually(() => about().length >= 2)
    expect(about()).toEqual(Array.from({ length: 2 }, () => JSON.stringify({ credential_id: key_id })))
  })
})

describe('last use of an API key', () => {
  it('is stored after the request, by the background flush', async () => {
    const { key_id, api_key } = await create({})
    const lastUsed = async () => (await auth.request('GET', `${path}/${key_id}`)).body.data.last_used_at
    await auth.resolve(presentApiKey(api_key))
    await auth.resolve(presentApiKey(api_key))
    expect(await eventually(lastUsed)).toEqual(expect.any(String))
  })
})

async function eventsOf(keyId: string): Promise<string[]> {
  const rows = await auth.rows<{ kind: string }>(
    `SELECT kind FROM platform.outbox WHERE data->>'id' = $1 ORDER BY position`,
    [keyId],
  )
  return rows.map(({ kind }) => kind)
}
