import { randomUUID } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import type { EndpointDefinition } from '@wp/contracts'
import { eventually, type TestResponse } from '@wp/testkit'
import { Client } from 'pg'
import type { AccessSuite } from './access-suite.ts'
import { authenticated, definitions, type EndpointCall } from './endpoint-calls.ts'
import { expectKeyOfRequest, expectReplay } from './idempotency-tests.ts'

/** Returns true for a GET of one resource. A signed head is a new signature at each request. */
export const hasStrongEtag = ({ id, method, ok, secret }: EndpointDefinition): boolean =>
  method === 'GET' && ok !== undefined && secret === undefined && id !== 'audit.readHead'
const strong = /^"[\w.-]{27,55}"$/

/** Returns the path under which the resource of a PATCH or DELETE is read. */
function readPathOf({ path, resourceIdField }: EndpointDefinition, call: EndpointCall): string {
  if (resourceIdField === undefined) return call.path.split('?', 1)[0] ?? ''
  const body = call.request.body as Record<string, string> | undefined // fixtures of such endpoints name the resource
  const id = body?.[resourceIdField] ?? new URLSearchParams(call.path.split('?')[1]).get(resourceIdField)
  return `${path}/${id}`
}

/** Endpoints that change or delete a resource that can be read. */
export const changing = authenticated.filter(
  ({ method, path, resourceIdField }) =>
    (method === 'PATCH' || method === 'DELETE') &&
    definitions.some(
      (one) =>
        one.method === 'GET' &&
        one.ok !== undefined &&
        one.path === (resourceIdField === undefined ? path : `${path}/{${resourceIdField}}`),
    ),
)

/** Checks that the response has a strong ETag, and that a matching If-None-Match gets 304. */
export async function expectStrongEtag(call: EndpointCall): Promise<void> {
  // A running job may change the resource between the requests, and with it the tag.
  await eventually(async () => {
    const { status, headers } = await call.send()
    const etag = headers.get('etag') ?? ''
    expect([status, etag]).toEqual([200, expect.stringMatching(strong)])
    expect(headers.get('cache-control')).toBe('private, no-cache')
    expect(headers.get('vary')).toContain('Authorization')
    // The other forms of the field are tested with the routes of @wp/service.
    const matched = await call.send({ 'if-none-match': etag })
    expect([matched.status, matched.body, matched.headers.get('etag')]).toEqual([304, '', etag])
    const unmatched = await call.send({ 'if-none-match': '"other"' })
    expect(unmatched.status).toBe(200)
    return true
  })
}

export function describeConditionalRequests(suite: AccessSuite): void {
  it('a response with a secret has no ETag and is not stored', async () => {
    const secrets = authenticated.filter(({ method, secret }) => method === 'GET' && secret !== undefined)
    for (const definition of secrets) {
      const { headers } = await (await suite.calls.prepareOwned(definition)).send()
      expect([headers.get('etag'), headers.get('cache-control')]).toEqual([null, 'no-store'])
    }
    expect(secrets.length).toBeGreaterThan(0)
  })
  describe('a PATCH or DELETE with an If-Match', () => describeConcurrentChanges(suite))
}

/**
 * Sends a PATCH or DELETE with an If-Match that does not match and with one that does, and repeats a PATCH.
 * @returns the response to the one that does
 */
export async function sendConditional(
  suite: AccessSuite,
  definition: EndpointDefinition,
  call: EndpointCall,
): Promise<TestResponse> {
  const [refusedKey, key] = [{ 'idempotency-key': randomUUID() }, { 'idempotency-key': randomUUID() }]
  const read = () => suite.fleet.request('GET', readPathOf(definition, call), { as: call.request.as ?? '' })
  // Volatile fields, the second part, may change in between: a time that was set may be due at once.
  const versionOf = ({ headers }: TestResponse) => headers.get('etag')?.split(definition.volatile ? '.' : /$/)[0]
  const found = await read()
  const before = found.headers.get('etag') ?? ''
  expect(before).toMatch(strong)
  // Weak tags are tested with the routes of @wp/service.
  expect(await call.send({ 'if-match': '"nothing"', ...refusedKey })).toMatchObject({
    status: 412,
    body: { code: 'precondition_failed' },
  })
  expect(versionOf(await read())).toBe(versionOf(found))
  const done = await call.send({ 'if-match': `"nothing", ${before}`, ...key })
  expect({ body: done.body }).toMatchObject({ body: { success: true } })
  if (definition.method === 'DELETE') return done
  expect(versionOf(done)).toBe(versionOf(await read()))
  expectReplay(await call.send({ 'if-match': before, ...key }), done)
  await expectKeyOfRequest(suite, definition, call, key)
  return done
}

function describeConcurrentChanges(suite: AccessSuite): void {
  it('gets 404 if the resource does not exist', async () => {
    for (const definition of changing.filter(({ params }) => params !== undefined)) {
      const call = await suite.calls.prepare(definition, await suite.calls.ownerCredential(definition))
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
    const call = await suite.calls.prepareOwned(definition)
    const read = async () => await suite.fleet.request('GET', call.path, { as: suite.context.owner.principal })
    const etag = (await read()).headers.get('etag') ?? ''
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => call.send({ 'if-match': etag }, { [field]: `by ${index}` })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 412)])
    const winner = answers.find(({ status }) => status === 200)
    expect((await read()).body.data[field]).toBe(winner?.body.data[field])
  })

  it('but the use of an API key does not change the tag that If-Match is compared with', async () => {
    const { key_id: id = '', api_key: key = '' } = await suite.context.create('/v1/auth/api-key', {})
    const path = `/v1/auth/api-key/${id}`
    const read = () => suite.fleet.request('GET', path, { as: suite.context.owner.principal })
    const before = await read()
    await suite.fleet.request('GET', '/v1/auth/me', { as: key })
    // Polls the database: polling the edge twenty times a second would exceed the rate limit of the owner.
    const auth = new Client({ connectionString: suite.fleet.databases.get('auth')?.adminUrl })
    await auth.connect()
    const used = 'SELECT 1 FROM api_keys WHERE key_id = $1 AND last_used_at IS NOT NULL'
    await eventually(async () => (await auth.query(used, [id])).rowCount === 1)
    await auth.end()
    const after = await read()
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
    const headers = { 'if-match': before.headers.get('etag') ?? '' }
    expect(
      (await suite.fleet.request('PATCH', path, { as: suite.context.owner.principal, body: { name: 'used' }, headers }))
        .status,
    ).toBe(200)
  })
}
