import { afterAll, describe, expect, it } from '@jest/globals'
import { startTestAuth } from '../fixture/auth.ts'
import { connectDirectory, patchSchema, scimErrorBody } from '../fixture/directory.ts'

const auth = await startTestAuth()
const directory = await connectDirectory(auth)
const id = (await directory.createUser('ada@acme.test')).id
afterAll(() => auth.stop())

const list = (filter: string) => directory.send('GET', `/Users?filter=${encodeURIComponent(filter)}`)
const patch = (...Operations: unknown[]) =>
  directory.send('PATCH', `/Users/${id}`, { schemas: [patchSchema], Operations })

describe('filters', () => {
  it.each([
    'userName eq "ADA@acme.test"',
    'userName sw "ada" and active eq true',
    'userName co "@ACME"',
    'userName ew ".test" and not (userName eq "bob@acme.test")',
    'id eq "nothing" or (userName pr and active eq "True")',
    'urn:ietf:params:scim:schemas:core:2.0:User:userName eq "ada@acme.test"',
    'meta.lastModified gt "2020-01-01T00:00:00Z"',
    'emails pr or userName eq "ada@acme.test"',
    'externalId eq null',
  ])('find the user by %s', async (filter) => {
    expect((await list(filter)).body).toMatchObject({ totalResults: 1, Resources: [{ id }] })
  })

  it.each(['userName eq "a%"', 'userName co "_da@"', `userName eq "x' OR '1'='1"`, 'emails.value eq "ada@acme.test"'])(
    'take %s literally and find nothing',
    async (filter) => {
      expect((await list(filter)).body).toMatchObject({ totalResults: 0 })
    },
  )

  it.each([
    '',
    'userName',
    'userName eq',
    'userName is "x"',
    'userName eq "x" and',
    '(userName eq "x"',
    'userName eq "x")',
    'userName eq "x" userName eq "y"',
    'userName eq x',
    'userName gt "x"',
    'password eq "x"',
    'constructor eq "x"',
    '__proto__ eq "x"',
    'active co true',
    'meta.created gt "yesterday"',
    'members[value eq "x"]',
    'userName eq "\\u0000"',
    'userName eq "x"; DROP TABLE users',
    `${'('.repeat(6)}userName pr${')'.repeat(6)}`,
    Array.from({ length: 21 }, () => 'a pr').join(' or '),
    `userName eq "${'x'.repeat(1_000)}"`,
  ])('refuse %s', async (filter) => {
    expect(await list(filter)).toMatchObject({ status: 400, body: scimErrorBody(400, 'invalidFilter') })
  })
})

describe('changes', () => {
  it.each([
    ['invalidSyntax', []],
    ['invalidSyntax', [{ op: 'move', path: 'title' }]],
    ['invalidSyntax', ['replace']],
    ['noTarget', [{ op: 'remove' }]],
    ['invalidValue', [{ op: 'replace', value: 'x' }]],
    ['invalidPath', [{ op: 'replace', path: 'nothing', value: 1 }]],
    ['invalidPath', [{ op: 'replace', path: '__proto__.polluted', value: 1 }]],
    ['invalidPath', [{ op: 'replace', path: 'title[x eq 1]', value: 1 }]],
    ['invalidPath', [{ op: 'replace', path: 7, value: 1 }]],
    ['invalidFilter', [{ op: 'replace', path: 'emails[type].value', value: 'x' }]],
    ['noTarget', [{ op: 'replace', path: 'emails[type co "w"].value', value: 'x' }]],
    ['invalidValue', [{ op: 'remove', path: 'userName' }]],
    ['invalidValue', [{ op: 'replace', path: 'userName', value: '' }]],
    ['invalidValue', [{ op: 'replace', path: 'active', value: 'maybe' }]],
    ['invalidValue', [{ op: 'replace', path: 'title', value: 'x'.repeat(257) }]],
    ['invalidValue', [{ op: 'replace', path: 'title', value: 'a\0b' }]],
    ['invalidValue', [{ op: 'add', path: 'emails', value: Array.from({ length: 21 }, (_, i) => ({ value: `${i}` })) }]],
    ['invalidValue', Array.from({ length: 101 }, () => ({ op: 'replace', path: 'title', value: 'x' }))],
  ])('are refused with %s', async (scimType, operations) => {
    expect(await patch(...operations)).toMatchObject({ status: 400, body: scimErrorBody(400, scimType) })
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
    expect((await directory.send('GET', `/Users/${id}`)).body).toMatchObject({ userName: 'ada@acme.test' })
  })

  it('refuse a name that is taken, a user without a mail address, and unknown members', async () => {
    await directory.createUser('taken@acme.test')
    const taken = await patch({ op: 'replace', path: 'userName', value: 'TAKEN@acme.test' })
    expect(taken).toMatchObject({ status: 409, body: scimErrorBody(409, 'uniqueness') })
    const nameless = await directory.send('POST', '/Users', { userName: 'nobody' })
    expect(nameless).toMatchObject({ status: 400, body: scimErrorBody(400, 'invalidValue') })
    const group = { displayName: 'G', members: [{ value: 'scu_01h455vb4pex5vsknk084sn02q' }] }
    expect(await directory.send('POST', '/Groups', group)).toMatchObject({
      status: 400,
      body: scimErrorBody(400, 'invalidValue'),
    })
  })

  it('refuse a group with too many members and a body that is too large', async () => {
    const members = Array.from({ length: 5_001 }, (_, index) => ({ value: `scu_${index}` }))
    expect(await directory.send('POST', '/Groups', { displayName: 'Large', members })).toMatchObject({
      status: 400,
      body: scimErrorBody(400, 'invalidValue'),
    })
    expect(await directory.send('POST', '/Users', { userName: 'x'.repeat(1_048_577) })).toMatchObject({
      status: 413,
      body: scimErrorBody(413),
    })
  })

  it('respect entity tags', async () => {
    const { headers } = await directory.send('GET', `/Users/${id}`)
    const etag = headers.get('etag') ?? ''
    expect((await directory.send('GET', `/Users/${id}`, undefined, { 'if-none-match': `W/${etag}` })).status).toBe(304)
    const body = { userName: 'ada@acme.test', title: 'Engineer' }
    expect((await directory.send('PUT', `/Users/${id}`, body, { 'if-match': `W/${etag}` })).status).toBe(200)
    expect(await directory.send('PUT', `/Users/${id}`, body, { 'if-match': etag })).toMatchObject({
      status: 412,
      body: scimErrorBody(412),
    })
    expect((await directory.send('DELETE', `/Users/${id}`, undefined, { 'if-match': etag })).status).toBe(412)
  })

  it('do not reach another workspace', async () => {
    const other = await connectDirectory(auth)
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', { userName: 'x@acme.test' }],
      ['PATCH', { Operations: [{ op: 'replace', value: { active: false } }] }],
      ['DELETE', undefined],
    ] as const)
      expect((await other.send(method, `/Users/${id}`, body)).status).toBe(404)
    expect((await other.send('POST', '/Groups', { displayName: 'G', members: [{ value: id }] })).status).toBe(400)
    expect((await other.send('GET', '/Users')).body.totalResults).toBe(0)
  })
})

describe('other requests', () => {
  it('describe the service', async () => {
    expect((await directory.send('GET', '/ServiceProviderConfig')).body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      etag: { supported: true },
    })
    const types = (await directory.send('GET', '/ResourceTypes')).body.Resources
    expect(types.map(({ endpoint }: { endpoint: string }) => endpoint)).toEqual(['/Users', '/Groups'])
    expect((await directory.send('GET', '/Schemas')).body).toMatchObject({ totalResults: 2 })
  })

  it('refuse bulk requests, malformed JSON and other media types with errors of SCIM', async () => {
    const bulk = await directory.send('POST', '/Bulk', { Operations: [] })
    expect(bulk).toMatchObject({ status: 501, body: scimErrorBody(501) })
    const { caller } = directory
    const post = (rawBody: string, type: string) =>
      auth.request('POST', '/v1/auth/scim/v2/Users', { caller, rawBody, headers: { 'content-type': type } })
    const malformed = await post('{', 'application/scim+json')
    expect(malformed).toMatchObject({ status: 400, body: scimErrorBody(400, 'invalidSyntax') })
    expect(malformed.headers.get('content-type')).toBe('application/scim+json')
    expect(await post('a', 'text/plain')).toMatchObject({ status: 415, body: scimErrorBody(415) })
  })
})
