import { afterAll, describe, expect, it } from '@jest/globals'
import { IdempotentReplay, Problem, type RequestCaller } from '@wp/contracts'
import { newId } from '../../src/index.ts'
import { caller, createFixtureDatabase } from '../fixture/database.ts'

const fixture = await createFixtureDatabase({ poolSize: 10 })
afterAll(() => fixture.drop())

/** A request that can be sent repeatedly: `again` returns a new caller each time, as the router does. */
function request({
  key = newId('rec') as string,
  fingerprint = 'f1',
  secretId = undefined as string | undefined,
  secretField = undefined as string | undefined,
} = {}) {
  const base = caller()
  const again = (other: { fingerprint?: string; endpointId?: string } = {}): RequestCaller => ({
    ...base,
    request: {
      endpointId: other.endpointId ?? 'fixture.createProject',
      idempotency: {
        key,
        fingerprint: other.fingerprint ?? fingerprint,
        ...(secretId ? { secretIdField: secretId } : {}),
        ...(secretField ? { secretField } : {}),
      },
    },
  })
  return { again, workspaceId: base.workspaceId ?? '' }
}

const create = (requester: RequestCaller, then: (view: { id: string }) => unknown = (view) => view) =>
  fixture.database.transact(requester, async ({ db, workspaceId }) => {
    const { id } = await db.project.create({
      data: { id: newId('src'), workspaceId: workspaceId ?? '', name: 'Harbour' },
    })
    return then({ id })
  })

const count = async (workspaceId: string) =>
  (await fixture.queryAsAdmin('SELECT FROM projects WHERE workspace_id = $1', [workspaceId])).length

const thrown = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => {
      throw new Error(`resolved with ${JSON.stringify(value)}`)
    },
    (error) => error,
  )

describe('an idempotency key', () => {
  it('replays the first response, including key order, without running the work again', async () => {
    const { again, workspaceId } = request({ key: `it's a \\ "key"; -- $1` })
    const first = await create(again(), ({ id }) => ({ zulu: 1, id, alpha: { b: null, a: '\u0000' } }))
    const replay = await thrown(create(again()))
    expect(replay).toBeInstanceOf(IdempotentReplay)
    expect(JSON.stringify((replay as IdempotentReplay).result)).toBe(JSON.stringify(first))
    expect(await count(workspaceId)).toBe(1)
  })

  it('runs one of fifty concurrent requests; the others replay it or get idempotency_in_flight', async () => {
    const { again, workspaceId } = request()
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => create(again())))
    const done = results.filter((result) => result.status === 'fulfilled').map(({ value }) => value)
    expect(done).toHaveLength(1)
    for (const result of results) {
      if (result.status === 'fulfilled') continue
      if (result.reason instanceof IdempotentReplay) expect(result.reason.result).toEqual(done[0])
      else expect(result.reason).toMatchObject({ code: 'idempotency_in_flight', status: 409 })
    }
    expect(await count(workspaceId)).toBe(1)
  })

  it('is in flight while the first request runs', async () => {
    const { again, workspaceId } = request()
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const first = fixture.database.transact(again(), async () => {
      begin()
      await answered
      return { ok: true }
    })
    await begun
    await expect(create(again()).finally(answer)).rejects.toMatchObject({ code: 'idempotency_in_flight' })
    await first
    await expect(create(again())).rejects.toMatchObject({ result: { ok: true } })
    expect(await count(workspaceId)).toBe(0)
  })

  it('rejects another body and is scoped to route, principal and workspace', async () => {
    const { again, workspaceId } = request()
    await create(again())
    await expect(create(again({ fingerprint: 'f2' }))).rejects.toMatchObject({
      code: 'idempotency_key_reused',
      status: 422,
    })
    await create(again({ endpointId: 'fixture.other' }))
    await create({ ...again(), principal: { id: newId('usr'), type: 'user' } })
    expect(await count(workspaceId)).toBe(3)
    const elsewhere = { ...again(), workspaceId: newId('ws') }
    await create(elsewhere)
    expect(await count(elsewhere.workspaceId)).toBe(1)
  })

  it('stores no secret; a replay returns the identifier of the resource', async () => {
    const { again } = request({ secretId: 'key_id' })
    await create(again(), () => ({ status: 'created', data: { key_id: 'akey_1', api_key: 'hush-hush' } }))
    const replay = await thrown(create(again()))
    expect(replay).toMatchObject({ code: 'secret_not_replayable', status: 409, extra: { key_id: 'akey_1' } })
    expect(await fixture.queryAsAdmin(`SELECT FROM platform.idempotency WHERE response LIKE '%hush%'`)).toEqual([])
  })

  it('stores a response without its optional secret as it is, and no response with one', async () => {
    const open = request({ secretId: 'id', secretField: 'secret' })
    await create(open.again())
    expect(await thrown(create(open.again()))).toBeInstanceOf(IdempotentReplay)
    const secret = request({ secretId: 'id', secretField: 'secret' })
    const { id } = (await create(secret.again(), (view) => ({ ...view, secret: 'hush-field' }))) as { id: string }
    const replay = await thrown(create(secret.again()))
    expect(replay).toMatchObject({ code: 'secret_not_replayable', status: 409, extra: { id } })
    expect(await fixture.queryAsAdmin(`SELECT FROM platform.idempotency WHERE response LIKE '%hush-field%'`)).toEqual(
      [],
    )
  })

  it('stores a problem without the work and replays it unchanged', async () => {
    const { again, workspaceId } = request()
    const rejection = new Problem('unknown_reference', {
      detail: 'no such integration',
      errors: [{ pointer: '/integration_id', detail: 'no such integration' }],
      extra: { hint: 'look' },
      headers: { 'x-hint': '1' },
      cause: new Error('for the operator only'),
    })
    const refuse = () => {
      throw rejection
    }
    expect(await thrown(create(again(), refuse))).toBe(rejection)
    expect(await count(workspaceId)).toBe(0)
    const replay = await thrown(create(again()))
    expect(replay).toBeInstanceOf(Problem)
    const { code, detail, errors, extra, headers } = rejection
    expect(replay).toMatchObject({ code, detail, errors, extra, headers, cause: undefined })
    expect(await count(workspaceId)).toBe(0)
  })

  it('stores a problem that follows a database error', async () => {
    const { again } = request()
    const work = fixture.database.transact(again(), async ({ db }) => {
      await db.plan.create({ data: { id: 'plan_taken', name: 'A' } })
      await db.plan.create({ data: { id: 'plan_taken', name: 'B' } }).catch((cause) => {
        throw new Problem('conflict', { cause })
      })
    })
    await expect(work).rejects.toMatchObject({ code: 'conflict' })
    await expect(create(again())).rejects.toMatchObject({ code: 'conflict' })
    expect(await fixture.queryAsAdmin(`SELECT FROM plans WHERE id = 'plan_taken'`)).toEqual([])
  })

  it.each(['invalid_credential', 'missing_scope', 'rate_limited', 'internal_error', 'service_unavailable'] as const)(
    'does not store %s, because a retry may succeed',
    async (code) => {
      const { again, workspaceId } = request()
      const refuse = () => {
        throw new Problem(code)
      }
      await expect(create(again(), refuse)).rejects.toMatchObject({ code })
      await create(again())
      expect(await count(workspaceId)).toBe(1)
    },
  )

  it('expires after 24 hours', async () => {
    const { again, workspaceId } = request()
    await create(again())
    const age = (interval: string) =>
      fixture.queryAsAdmin(
        'UPDATE platform.idempotency SET created_at = now() - $2::interval WHERE workspace_id = $1',
        [workspaceId, interval],
      )
    await age('23 hours 59 minutes')
    expect(await thrown(create(again()))).toBeInstanceOf(IdempotentReplay)
    await age('24 hours 1 minute')
    const second = await create(again({ fingerprint: 'f2' }))
    expect(await thrown(create(again({ fingerprint: 'f2' })))).toMatchObject({ result: second })
    expect(await count(workspaceId)).toBe(2)
  })

  it('stays in the workspace of the caller when the work switches to another', async () => {
    const { again } = request()
    const withoutWorkspace = () => ({ ...again(), workspaceId: null })
    const created = newId('ws')
    const createWorkspace = async () =>
      await fixture.database.transact(withoutWorkspace(), async (tx) => {
        await tx.switchWorkspace({ workspaceId: created, shard: 's1' })
        await tx.db.project.create({ data: { id: newId('src'), workspaceId: created, name: 'First' } })
        return { workspace_id: created }
      })
    await createWorkspace()
    expect(await thrown(createWorkspace())).toMatchObject({ result: { workspace_id: created } })
    expect(await count(created)).toBe(1)
  })

  it('is shared by all workspaces when the endpoint needs no workspace; writes stay in the caller’s workspace', async () => {
    const { again, workspaceId } = request()
    const other = newId('ws')
    const across = (from: string | null): RequestCaller => {
      const { request: metadata, ...rest } = again()
      if (metadata?.idempotency === undefined) throw new Error('the fixture sets a key')
      const idempotency = { ...metadata.idempotency, acrossWorkspaces: true as const }
      return { ...rest, workspaceId: from, request: { ...metadata, idempotency } }
    }
    const first = await create(across(workspaceId))
    for (const from of [workspaceId, other, null])
      expect(await thrown(create(across(from)))).toMatchObject({ result: first })
    expect([await count(workspaceId), await count(other)]).toEqual([1, 0])
    expect(await create(again())).not.toEqual(first)
  })

  it('stores a problem of an endpoint without a workspace and resets the workspace', async () => {
    const { again, workspaceId } = request()
    const { request: metadata, ...rest } = again()
    const idempotency = { key: newId('rec'), fingerprint: 'f1', acrossWorkspaces: true as const }
    const refused = () => ({ ...rest, request: { endpointId: metadata?.endpointId ?? '', idempotency } })
    const refuse = () => create(refused(), () => Promise.reject(new Problem('conflict')))
    expect(await thrown(refuse())).toMatchObject({ code: 'conflict' })
    expect(await thrown(create({ ...refused(), workspaceId: null }))).toMatchObject({ code: 'conflict' })
    expect(await count(workspaceId)).toBe(0)
  })
})
