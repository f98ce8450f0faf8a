import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { EndpointDefinition } from '@wp/contracts'
import { type AccessContext, createAccessContext, eventually, startTestFleet, type TestFleet } from '@wp/testkit'
import { Client } from 'pg'
import { accessEnvironment } from './access-fixtures.ts'
import { authenticated, createEndpointCalls, definitions, type EndpointCall, rowsOf } from './endpoint-calls.ts'

let fleet: TestFleet
let context: AccessContext
let calls: ReturnType<typeof createEndpointCalls>
beforeAll(async () => {
  fleet = await startTestFleet({ env: accessEnvironment })
  context = await createAccessContext(fleet)
  calls = createEndpointCalls(context)
})
afterAll(() => fleet.stop())

// A signed head is a new signature at each request.
const readable = authenticated.filter(
  ({ id, method, ok, secret }) =>
    method === 'GET' && ok !== undefined && secret === undefined && id !== 'audit.readHead',
)
const strong = /^"[\w.-]{27,55}"$/

/** Returns the path under which the resource of a PATCH or DELETE is read. */
function readPathOf({ path, resourceIdField }: EndpointDefinition, call: EndpointCall): string {
  if (resourceIdField === undefined) return call.path.split('?', 1)[0] ?? ''
  const body = call.request.body as Record<string, string> | undefined // fixtures of such endpoints name the resource
  const id = body?.[resourceIdField] ?? new URLSearchParams(call.path.split('?')[1]).get(resourceIdField)
  return `${path}/${id}`
}

const changing = authenticated.filter(
  ({ method, path, resourceIdField }) =>
    (method === 'PATCH' || method === 'DELETE') &&
    definitions.some(
      (one) =>
        one.method === 'GET' &&
        one.ok !== undefined &&
        one.path === (resourceIdField === undefined ? path : `${path}/{${resourceIdField}}`),
    ),
)

describe('a GET of one resource has a strong ETag and answers a matching If-None-Match with 304', () => {
  it.each(rowsOf(readable))('%s', async (_, definition) => {
    const call = await calls.prepareOwned(definition)
    // A running job may change the resource between the requests, and with it the tag.
    await eventually(async () => {
      const { status, headers } = await call.send()
      const etag = headers.get('etag') ?? ''
      expect([status, etag]).toEqual([200, expect.stringMatching(strong)])
      expect(headers.get('cache-control')).toBe('private, no-cache')
      expect(headers.get('vary')).toContain('Authorization')
      for (const field of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const matched = await call.send({ 'if-none-match': field })
        expect([field, matched.status, matched.body, matched.headers.get('etag')]).toEqual([field, 304, '', etag])
      }
      const unmatched = await call.send({ 'if-none-match': '"other"' })
      expect(unmatched.status).toBe(200)
      return true
    })
  })

  it('except a response with a secret, which has no ETag and is not stored', async () => {
    const secrets = authenticated.filter(({ method, secret }) => method === 'GET' && secret !== undefined)
    for (const definition of secrets) {
      const { headers } = await (await calls.prepareOwned(definition)).send()
      expect([headers.get('etag'), headers.get('cache-control')]).toEqual([null, 'no-store'])
    }
    expect(secrets.length).toBeGreaterThan(0)
  })
})

describe('a PATCH or DELETE with an If-Match that does not match gets 412', () => {
  it.each(rowsOf(changing))('%s', async (_, definition) => {
    const call = await calls.prepareOwned(definition)
    const read = () => fleet.request('GET', readPathOf(definition, call), { as: call.request.as ?? '' })
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

  it('and 404 if the resource does not exist', async () => {
    for (const definition of changing.filter(({ params }) => params !== undefined)) {
      const call = await calls.prepare(definition, await calls.ownerCredential(definition))
      expect((await call.send({ 'if-match': '"x"' })).status).toBe(404)
    }
  })

  it.each([
    ['auth.updateRole', 'description'],
    ['auth.updateApiKey', 'name'],
    ['auth.updateServicePrincipal', 'name'],
    ['agents.updateAgent', 'name'],
    ['data.updateSource', 'name'],
    ['webhooks.updateSubscription', 'description'],
    ['system.updateWorkspace', 'name'],
  ])('%s accepts one of ten concurrent changes with the same If-Match', async (id, field) => {
    const definition = authenticated.find((one) => one.id === id)
    if (definition === undefined) throw new Error(`there is no endpoint ${id}`)
    const call = await calls.prepareOwned(definition)
    const read = async () => await fleet.request('GET', call.path, { as: context.owner.principal })
    const etag = (await read()).headers.get('etag') ?? ''
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => call.send({ 'if-match': etag }, { [field]: `by ${index}` })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 412)])
    const winner = answers.find(({ status }) => status === 200)
    expect((await read()).body.data[field]).toBe(winner?.body.data[field])
  })

  it('but the use of an API key does not change the tag that If-Match is compared with', async () => {
    const { key_id: id = '', api_key: key = '' } = await context.create('/v1/auth/api-key', {})
    const path = `/v1/auth/api-key/${id}`
    const read = () => fleet.request('GET', path, { as: context.owner.principal })
    const before = await read()
    await fleet.request('GET', '/v1/auth/me', { as: key })
    // Polls the database: polling the edge twenty times a second would exceed the rate limit of the owner.
    const auth = new Client({ connectionString: fleet.databases.get('auth')?.adminUrl })
    await auth.connect()
    const used = 'SELECT 1 FROM api_keys WHERE key_id = $1 AND last_used_at IS NOT NULL'
    await eventually(async () => (await auth.query(used, [id])).rowCount === 1)
    await auth.end()
    const after = await read()
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
    const headers = { 'if-match': before.headers.get('etag') ?? '' }
    expect(
      (await fleet.request('PATCH', path, { as: context.owner.principal, body: { name: 'used' }, headers })).status,
    ).toBe(200)
  })
})
