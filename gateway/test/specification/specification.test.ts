import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestFleet, type TestFleet } from '@wp/testkit'

/** The specification of the public API. It is not part of the project. */
const file = new URL('../../../../shared/spec/workspace-platform-api.md', import.meta.url)
const isPresent = existsSync(file)
if (!isPresent) process.stderr.write(`skipped: ${file.pathname} is not here\n`)

/** The methods and paths of the specification: of its tables, and of headings such as "POST /v1/auth/token has …". */
const endpoints: [method: string, path: string][] = [
  ...(isPresent ? readFileSync(file, 'utf8') : '').split('\n'),
].flatMap((line) => {
  const [, methods = '', path = ''] =
    /^(?:\| )?((?:GET|POST|PATCH|DELETE)(?:, [A-Z]+)*)(?: \||) (\/(?:v1|api)\/[\w/{}-]+)/.exec(line) ?? []
  return path === '' ? [] : methods.split(', ').map((method): [string, string] => [method, path])
})

/** Well-formed identifiers of nothing that exists, by path parameter. */
const unknownIds: Readonly<Record<string, string>> = {
  data_source_id: 'src_01h455vb4pex5vsknk084sn02q',
  integration_id: 'int_01h455vb4pex5vsknk084sn02q',
  agent_id: 'agt_01h455vb4pex5vsknk084sn02q',
  key_id: 'akey_01h455vb4pex5vsknk084sn02q',
  webhook_id: 'wh_01h455vb4pex5vsknk084sn02q',
}

const withUnknownIds = (path: string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => unknownIds[name] ?? `unknown parameter ${name}`)

const describeIfPresent = isPresent ? describe : describe.skip

describeIfPresent('the endpoints of the specification', () => {
  let fleet: TestFleet
  let document: Record<string, Record<string, { security?: unknown[] }>>
  let token: string
  beforeAll(async () => {
    fleet = await startTestFleet()
    token = await fleet.token(fleet.owner)
    document = (await fleet.request('GET', '/openapi.json')).body.paths
  })
  afterAll(() => fleet?.stop())

  it('are found in its tables', () => {
    expect(endpoints.length).toBeGreaterThan(40)
    expect(endpoints).toContainEqual(['PATCH', '/v1/auth/admin/roles'])
    expect(endpoints).toContainEqual(['POST', '/v1/auth/token'])
  })

  it.each(endpoints)('%s %s is in the OpenAPI document and answers', async (method, path) => {
    expect(Object.keys(document)).toContain(path)
    expect(Object.keys(document[path] ?? {})).toContain(method.toLowerCase())
    // Without a credential, a known endpoint asks for one before it looks at the resource.
    const { status, body } = await fleet.request(method, withUnknownIds(path))
    expect([405, 500, 502, 503]).not.toContain(status)
    if (status === 404) expect(body.code).toBe('provider_not_configured')
  })

  const lists = endpoints.filter(
    ([method, path]) => method === 'GET' && !path.includes('{') && !path.includes('/login/'),
  )
  it.each(lists)('%s %s answers 200 to an owner', async (method, path) => {
    expect((await fleet.request(method, path, { as: token })).status).toBe(200)
  })
})
