import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { EndpointDefinition } from '@wp/contracts'
import {
  type AccessContext,
  createAccessContext,
  eventually,
  startTestFleet,
  type TestFleet,
  type TestResponse,
} from '@wp/testkit'
import { Client } from 'pg'
import { accessEnvironment, fixtureOf } from './access-fixtures.ts'
import { authenticated, createEndpointCalls, type EndpointCall, rowsOf } from './endpoint-calls.ts'

let fleet: TestFleet
let context: AccessContext
let calls: ReturnType<typeof createEndpointCalls>
let admins: Client[]
beforeAll(async () => {
  fleet = await startTestFleet({ env: accessEnvironment })
  context = await createAccessContext(fleet)
  calls = createEndpointCalls(context)
  admins = [...fleet.databases.values()].map(({ adminUrl }) => new Client({ connectionString: adminUrl }))
  await Promise.all(admins.map((client) => client.connect()))
})
afterAll(async () => {
  await Promise.all(admins.map((client) => client.end()))
  await fleet.stop()
})

/** Endpoints that accept an idempotency key. Each exception states its reason in its fixture. */
const idempotent = authenticated.filter(
  (definition) =>
    (definition.method === 'POST' || definition.method === 'PATCH') &&
    fixtureOf(definition).withoutIdempotencyKey === undefined,
)

const newKey = () => randomUUID()

/** Locks the idempotency tables while `work` runs, so that no request can commit its response. */
async function withLockedIdempotency<T>(work: () => Promise<T>): Promise<T> {
  await Promise.all(admins.map((client) => client.query('BEGIN; LOCK TABLE platform.idempotency IN SHARE MODE')))
  try {
    return await work()
  } finally {
    await Promise.all(admins.map((client) => client.query('COMMIT')))
  }
}

/** Resolves when a transaction has waited for a locked row in 25 successive looks, or when `isOver` returns true. */
async function rowAwaited(isOver: () => boolean): Promise<undefined> {
  let looks = 0
  await eventually(async () => {
    if (isOver()) return true
    looks = (await Promise.all(admins.map(isRowAwaited))).includes(true) ? looks + 1 : 0
    return looks === 25
  })
}

async function isRowAwaited(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ awaited: boolean }>(`
    SELECT pg_stat_clear_snapshot(), EXISTS (
      SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event IN ('transactionid', 'tuple')
    ) AS awaited`)
  return rows[0]?.awaited === true
}

/**
 * Sends two concurrent requests with one key. Returns the response of the one that is processed, and of the other.
 *
 * An upload stores its rows before it claims its key: if the second one comes to its rows after the first has claimed
 * the key, it waits for the row of the data source, and the first one for the table that is locked here. The lock is
 * then released, and both are sent again with another key.
 */
async function sendTwice(call: EndpointCall): Promise<{ key: string; first: TestResponse; second: TestResponse }> {
  const key = randomUUID()
  let both: Promise<TestResponse>[] = []
  const second = await withLockedIdempotency(() => {
    both = [call.send({ 'idempotency-key': key }), call.send({ 'idempotency-key': key })]
    let isAnswered = false
    const response = Promise.race(both).finally(() => {
      isAnswered = true
    })
    return Promise.race([response, rowAwaited(() => isAnswered)])
  })
  const answers = await Promise.all(both)
  if (second === undefined) return sendTwice(call)
  return { key, first: answers.find((answer) => answer !== second) ?? second, second }
}

/** Returns a different valid body; undefined if nothing in the body can be changed. */
function otherBody(definition: EndpointDefinition, { request: { body } }: EndpointCall): unknown {
  const { alternativeBody } = fixtureOf(definition)
  if (alternativeBody !== undefined || typeof body !== 'object' || body === null) return alternativeBody
  if ('name' in body) return { ...body, name: `${body.name}2` }
  return undefined
}

/** Returns true if the response to the request holds a secret, which is not stored. */
const holdsSecret = ({ secret }: EndpointDefinition, { body }: TestResponse): boolean =>
  secret !== undefined && (secret.field === undefined || secret.field in body.data)

describe('a repeated request with an idempotency key', () => {
  it.each(rowsOf(idempotent))('%s', async (_, definition) => {
    const call = await calls.prepareOwned(definition)
    const { key, first, second } = await sendTwice(call)
    expect(second).toMatchObject({ status: 409, body: { code: 'idempotency_in_flight' } })
    expect({ body: first.body }).toMatchObject({ body: { success: true } })
    expect(first.headers.get('idempotency-replayed')).toBeNull()

    const again = await call.send({ 'idempotency-key': key })
    if (!holdsSecret(definition, first)) {
      expect([again.status, again.body]).toEqual([first.status, first.body])
      expect(again.headers.get('idempotency-replayed')).toBe('true')
      for (const name of ['location', 'etag']) expect(again.headers.get(name)).toBe(first.headers.get(name))
    } else {
      const id = definition.secret?.idField ?? ''
      expect(again).toMatchObject({ status: 409, body: { code: 'secret_not_replayable', [id]: first.body.data[id] } })
    }

    // The key belongs to this body and this resource.
    const other = otherBody(definition, call)
    const reused =
      other === undefined
        ? await (await calls.prepareOwned(definition)).send({ 'idempotency-key': key })
        : await call.send({ 'idempotency-key': key }, other)
    expect(reused).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
  })
})

describe('an idempotency key', () => {
  const create = (as: string, key: string, more: Record<string, string> = {}) =>
    fleet.request('POST', '/v1/data/sources', {
      as,
      body: { name: 'same', provider: 'upload' },
      headers: { 'idempotency-key': key, ...more },
    })

  it('is scoped to the principal, the workspace and the route', async () => {
    const key = newKey()
    const mine = await create(context.owner.principal, key)
    const theirs = [
      await create(context.stranger.principal, key),
      await create(fleet.owner.apiKey, key),
      await create(context.owner.user, key, { 'x-workspace-key': fleet.owner.workspaceId }),
    ]
    const ids = [mine, ...theirs].map(({ body }) => body.data.data_source_id)
    expect(new Set(ids).size).toBe(4)
    const variable = { name: 'ROUTE', value: 'x' }
    const headers = { 'idempotency-key': key }
    const elsewhere = await fleet.request('POST', '/v1/system/workspace/variables', {
      as: context.owner.principal,
      body: variable,
      headers,
    })
    expect(elsewhere.status).toBe(201)
  })

  it('is scoped to the principal alone where no workspace is required, also after a second workspace is created', async () => {
    const { ownerId } = await fleet.seed('growing')
    const as = await fleet.userToken(ownerId)
    const patch = (body: object, more: Record<string, string> = {}) =>
      fleet.request('PATCH', '/v1/auth/me', { as, body, headers: { 'idempotency-key': 'profile', ...more } })
    const first = await patch({ name: 'Grown' })
    const create = () =>
      fleet.request('POST', '/v1/system/workspaces', {
        as,
        body: { name: 'Second' },
        headers: { 'idempotency-key': 'workspace' },
      })
    const made = await create()
    expect([first.status, made.status]).toEqual([200, 201])
    // With two workspaces, none can be inferred.
    for (const headers of [{}, { 'x-workspace-key': made.body.data.workspace_id }]) {
      const again = await patch({ name: 'Grown' }, headers)
      expect([again.headers.get('idempotency-replayed'), again.body]).toEqual(['true', first.body])
    }
    expect((await patch({ name: 'Other' })).status).toBe(422)
    expect((await create()).body.data.workspace_id).toBe(made.body.data.workspace_id)
  })

  it('replays a validation error and never a denial that depends on the credential', async () => {
    const key = newKey()
    const invite = (role: string, as = context.owner.principal) =>
      fleet.request('POST', '/v1/auth/admin/users', {
        as,
        body: { email: 'kept@example.test', role },
        headers: { 'idempotency-key': key },
      })
    const unknown = await invite('unknown-role')
    expect(unknown.status).toBe(400)
    expect((await invite('unknown-role')).body).toMatchObject({ code: unknown.body.code, detail: unknown.body.detail })
    expect((await invite('viewer')).status).toBe(422)
    const forbidden = () => invite('owner', fleet.owner.apiKey)
    expect([(await forbidden()).status, (await invite('viewer', fleet.owner.apiKey)).status]).toEqual([403, 201])
  })
})
