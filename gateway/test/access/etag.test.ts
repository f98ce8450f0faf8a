import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { EndpointDefinition } from '@wp/contracts'
import { eventually, startTestFleet, type TestFleet } from '@wp/testkit'
import { Client } from 'pg'
import { type Call, callsOf, closed, definitions, table } from './calls.ts'
import { createWorld, type World } from './world.ts'

let fleet: TestFleet
let world: World
let calls: ReturnType<typeof callsOf>
beforeAll(async () => {
  fleet = await startTestFleet({ env: { 'webhook-delivery': { RETRY_SCHEDULE_SECONDS: '0', REPLAY_BACKLOG: '0' } } })
  world = await createWorld(fleet)
  calls = callsOf(world)
}, 60_000)
afterAll(() => fleet.stop())

const readable = closed.filter(({ method, ok, secret }) => method === 'GET' && ok !== undefined && secret === undefined)
const strong = /^"[\w.-]{27,55}"$/

/** Where what a PATCH or DELETE changes is read. */
function readingPath({ path, resourceIdField: names }: EndpointDefinition, call: Call): string {
  if (names === undefined) return call.path.split('?', 1)[0] ?? ''
  const body = call.request.body as Record<string, string> | undefined // fixtures of such endpoints name the resource
  const named = body?.[names] ?? new URLSearchParams(call.path.split('?')[1]).get(names)
  return `${path}/${named}`
}

const changing = closed.filter(
  ({ method, path, resourceIdField: names }) =>
    (method === 'PATCH' || method === 'DELETE') &&
    definitions.some(
      (one) =>
        one.method === 'GET' &&
        one.ok !== undefined &&
        one.path === (names === undefined ? path : `${path}/{${names}}`),
    ),
)

describe('one resource', () => {
  it.each(table(readable))('%s', async (_, definition) => {
    const call = await calls.owned(definition)
    // what is under way changes meanwhile, and says so by another tag
    await eventually(async () => {
      const { status, headers } = await call.send()
      const etag = headers.get('etag') ?? ''
      expect([status, etag]).toEqual([200, expect.stringMatching(strong)])
      expect(headers.get('cache-control')).toBe('private, no-cache')
      expect(headers.get('vary')).toContain('Authorization')
      for (const field of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const known = await call.send({ 'if-none-match': field })
        expect([field, known.status, known.body, known.headers.get('etag')]).toEqual([field, 304, '', etag])
      }
      const unknown = await call.send({ 'if-none-match': '"other"' })
      expect(unknown.status).toBe(200)
      return true
    })
  })

  it('with a secret has none, and is not stored', async () => {
    const secrets = closed.filter(({ method, secret }) => method === 'GET' && secret !== undefined)
    for (const definition of secrets) {
      const { headers } = await (await calls.owned(definition)).send()
      expect([headers.get('etag'), headers.get('cache-control')]).toEqual([null, 'no-store'])
    }
    expect(secrets.length).toBeGreaterThan(0)
  })
})

describe('a change of what has changed is refused', () => {
  it.each(table(changing))('%s', async (_, definition) => {
    const call = await calls.owned(definition)
    const read = () => fleet.request('GET', readingPath(definition, call), { as: call.request.as ?? '' })
    const before = (await read()).headers.get('etag') ?? ''
    expect(before).toMatch(strong)
    for (const field of ['"nothing"', `W/${before}`]) {
      expect(await call.send({ 'if-match': field })).toMatchObject({
        status: 412,
        body: { code: 'precondition_failed' },
      })
      const refused = await call.send({
        'if-match': field,
        'idempotency-key': `${definition.id} ${field}`.replaceAll(/\s/g, '-'),
      })
      expect(refused.status).toBe(412)
    }
    expect((await read()).headers.get('etag')).toBe(before)
    const done = await call.send({ 'if-match': `"nothing", ${before}`, 'idempotency-key': definition.id })
    expect({ body: done.body }).toMatchObject({ body: { success: true } })
    if (definition.method === 'DELETE') return
    const after = (await read()).headers.get('etag')
    expect(done.headers.get('etag')).toBe(after)
    const again = await call.send({ 'if-match': before, 'idempotency-key': definition.id })
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
  })

  it('and where there is nothing: 404', async () => {
    for (const definition of changing.filter(({ params }) => params !== undefined)) {
      const call = await calls.prepare(definition, await calls.ownerOf(definition))
      expect((await call.send({ 'if-match': '"x"' })).status).toBe(404)
    }
  })

  it.each([
    ['auth.updateRole', 'description'],
    ['auth.updateApiKey', 'name'],
    ['auth.updateServicePrincipal', 'name'],
    ['data.updateSource', 'name'],
    ['webhooks.updateSubscription', 'description'],
    ['system.updateWorkspace', 'name'],
  ])('%s: of ten at once that saw the same, one comes through', async (id, field) => {
    const definition = closed.find((one) => one.id === id)
    if (definition === undefined) throw new Error(`${id} is gone`)
    const call = await calls.owned(definition)
    const read = async () => await fleet.request('GET', call.path, { as: world.owner })
    const etag = (await read()).headers.get('etag') ?? ''
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => call.send({ 'if-match': etag }, { [field]: `by ${index}` })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 412)])
    const winner = answers.find(({ status }) => status === 200)
    expect((await read()).body.data[field]).toBe(winner?.body.data[field])
  })

  it('but not because a key was used, or a webhook delivered', async () => {
    const { key_id: id = '', api_key: key = '' } = await world.create('/v1/auth/api-key', {})
    const path = `/v1/auth/api-key/${id}`
    const read = () => fleet.request('GET', path, { as: world.owner })
    const before = await read()
    await fleet.request('GET', '/v1/auth/me', { as: key })
    // asked of the database: asking for it twenty times a second would use up what the owner may ask for in a minute
    const auth = new Client({ connectionString: fleet.databases.get('auth')?.adminUrl })
    await auth.connect()
    const used = 'SELECT 1 FROM api_keys WHERE key_id = $1 AND last_used_at IS NOT NULL'
    await eventually(async () => (await auth.query(used, [id])).rowCount === 1, { timeoutMs: 20_000 })
    await auth.end()
    const after = await read()
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
    const headers = { 'if-match': before.headers.get('etag') ?? '' }
    expect((await fleet.request('PATCH', path, { as: world.owner, body: { name: 'used' }, headers })).status).toBe(200)
  })
})
