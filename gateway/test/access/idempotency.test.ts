import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { EndpointDefinition } from '@wp/contracts'
import { startTestFleet, type TestFleet, type TestResponse } from '@wp/testkit'
import { Client } from 'pg'
import { type Call, callsOf, closed, fixtureOf, table } from './calls.ts'
import { createWorld, type World } from './world.ts'

let fleet: TestFleet
let world: World
let calls: ReturnType<typeof callsOf>
let keeping: Client[]
beforeAll(async () => {
  fleet = await startTestFleet({ env: { 'webhook-delivery': { RETRY_SCHEDULE_SECONDS: '0', REPLAY_BACKLOG: '0' } } })
  world = await createWorld(fleet)
  calls = callsOf(world)
  keeping = [...fleet.databases.values()].map(({ adminUrl }) => new Client({ connectionString: adminUrl }))
  await Promise.all(keeping.map((client) => client.connect()))
}, 60_000)
afterAll(async () => {
  await Promise.all(keeping.map((client) => client.end()))
  await fleet.stop()
})

/** Why an endpoint that changes something takes no key. */
const exempt: Record<string, string> = {
  'auth.logout': 'ends the credential that would ask again',
  'data.searchRecords': 'changes nothing; it is a question too long for an address',
  'data.uploadRecords': 'is a stream; its rows are idempotent by their own keys',
}

const changing = closed.filter(({ id, method }) => (method === 'POST' || method === 'PATCH') && !(id in exempt))

const newKey = () => randomUUID()

/** Lets no service keep an answer while `work` runs, so that whoever was first is still being served. */
async function whileNothingIsKept<T>(work: () => Promise<T>): Promise<T> {
  await Promise.all(keeping.map((client) => client.query('BEGIN; LOCK TABLE platform.idempotency IN SHARE MODE')))
  try {
    return await work()
  } finally {
    await Promise.all(keeping.map((client) => client.query('COMMIT')))
  }
}

/** Two at once under one key: the one that was first, and what the other was told meanwhile. */
async function twoAtOnce(call: Call, key: string): Promise<{ first: TestResponse; second: TestResponse }> {
  let both: Promise<TestResponse>[] = []
  const second = await whileNothingIsKept(() => {
    both = [call.send({ 'idempotency-key': key }), call.send({ 'idempotency-key': key })]
    return Promise.race(both)
  })
  const answers = await Promise.all(both)
  return { first: answers.find((answer) => answer !== second) ?? second, second }
}

/** The same request with another body; undefined where there is nothing in it to be another. */
function otherBody(definition: EndpointDefinition, { request: { body } }: Call): unknown {
  const { other } = fixtureOf(definition)
  if (other !== undefined || typeof body !== 'object' || body === null) return other
  if ('name' in body) return { ...body, name: `${body.name}2` }
  return undefined
}

describe('an idempotency key', () => {
  it.each(table(changing))('%s', async (_, definition) => {
    const call = await calls.owned(definition)
    const key = newKey()
    const { first, second } = await twoAtOnce(call, key)
    expect(second).toMatchObject({ status: 409, body: { code: 'idempotency_in_flight' } })
    expect({ body: first.body }).toMatchObject({ body: { success: true } })
    expect(first.headers.get('idempotency-replayed')).toBeNull()

    const again = await call.send({ 'idempotency-key': key })
    if (definition.secret === undefined) {
      expect([again.status, again.body]).toEqual([first.status, first.body])
      expect(again.headers.get('idempotency-replayed')).toBe('true')
      for (const name of ['location', 'etag']) expect(again.headers.get(name)).toBe(first.headers.get(name))
    } else {
      const { idField: id } = definition.secret
      expect(again).toMatchObject({ status: 409, body: { code: 'secret_not_replayable', [id]: first.body.data[id] } })
    }

    // another body, or the same for another resource: the key was for this one
    const other = otherBody(definition, call)
    const reused =
      other === undefined
        ? await (await calls.owned(definition)).send({ 'idempotency-key': key })
        : await call.send({ 'idempotency-key': key }, other)
    expect(reused).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
  })

  it('is exempt nowhere else', () => {
    expect(Object.keys(exempt).filter((id) => !closed.some((definition) => definition.id === id))).toEqual([])
  })
})

describe('what a key belongs to', () => {
  const create = (as: string, key: string, more: Record<string, string> = {}) =>
    fleet.request('POST', '/v1/data/sources', {
      as,
      body: { name: 'same', provider: 'upload' },
      headers: { 'idempotency-key': key, ...more },
    })

  it('is the principal, the workspace and the route', async () => {
    const key = newKey()
    const mine = await create(world.owner, key)
    const theirs = [
      await create(world.stranger, key),
      await create(fleet.owner.apiKey, key),
      await create(world.ownerUser, key, { 'x-workspace-key': fleet.owner.workspaceId }),
    ]
    const ids = [mine, ...theirs].map(({ body }) => body.data.data_source_id)
    expect(new Set(ids).size).toBe(4)
    const variable = { name: 'ROUTE', value: 'x' }
    const headers = { 'idempotency-key': key }
    const elsewhere = await fleet.request('POST', '/v1/system/workspace/variables', {
      as: world.owner,
      body: variable,
      headers,
    })
    expect(elsewhere.status).toBe(201)
  })

  it('is the principal alone where no workspace is needed: one that is created meanwhile changes nothing', async () => {
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
    // with two workspaces, none can be inferred any more
    for (const headers of [{}, { 'x-workspace-key': made.body.data.workspace_id }]) {
      const again = await patch({ name: 'Grown' }, headers)
      expect([again.headers.get('idempotency-replayed'), again.body]).toEqual(['true', first.body])
    }
    expect((await patch({ name: 'Other' })).status).toBe(422)
    expect((await create()).body.data.workspace_id).toBe(made.body.data.workspace_id)
  })

  it('is also what was refused, where it would be refused again; never what may be otherwise next time', async () => {
    const key = newKey()
    const invite = (role: string, as = world.owner) =>
      fleet.request('POST', '/v1/auth/admin/users', {
        as,
        body: { email: 'kept@example.test', role },
        headers: { 'idempotency-key': key },
      })
    const unknown = await invite('nobody')
    expect(unknown.status).toBe(400)
    expect((await invite('nobody')).body).toMatchObject({ code: unknown.body.code, detail: unknown.body.detail })
    expect((await invite('viewer')).status).toBe(422)
    const forbidden = () => invite('owner', fleet.owner.apiKey)
    expect([(await forbidden()).status, (await invite('viewer', fleet.owner.apiKey)).status]).toEqual([403, 201])
  })
})
