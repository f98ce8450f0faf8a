import { afterAll, describe, expect, it } from '@jest/globals'
import { parseQuery, serializeQuery } from '@wp/contracts'
import { startBoxes } from '../fixture.ts'

const boxes = await startBoxes()
afterAll(() => boxes.stop())

const problemOf = (status: number, code: string) => ({
  status,
  body: expect.objectContaining({ success: false, status, code }),
})

describe('a body that is not JSON', () => {
  it('is rejected with line, column and reason', async () => {
    const headers = { 'content-type': 'application/json' }
    const response = await boxes.request('POST', '/v1/data/boxes', { body: '{\n  "name": "a",\n}', headers })
    expect(response).toMatchObject(problemOf(400, 'malformed_body'))
    expect(response.body.detail).toBe(
      'The body is not valid JSON: line 3, column 1: a name in double quotes is expected; the last element has no comma after it',
    )
  })
})

describe('a successful response', () => {
  it('has the resource in the envelope, a strong entity tag and private caching', async () => {
    const response = await boxes.request('GET', '/v1/data/boxes/box_1')
    expect(response).toMatchObject({
      status: 200,
      body: { success: true, data: { id: 'box_1', name: 'one', size: 1 } },
    })
    expect(response.headers.get('etag')).toMatch(/^"[\w-]{27}"$/)
    expect(response.headers.get('cache-control')).toBe('private, no-cache')
    expect(response.headers.get('vary')).toBe('Authorization, x-api-key, x-workspace-key')
  })

  it('is 304 when If-None-Match names its tag, and has no body for HEAD', async () => {
    const first = await boxes.request('GET', '/v1/data/boxes/box_1')
    const etag = first.headers.get('etag') ?? ''
    expect(
      await boxes.request('GET', '/v1/data/boxes/box_1', { headers: { 'if-none-match': `"other", ${etag}` } }),
    ).toMatchObject({ status: 304, body: '' })
    expect(await boxes.request('HEAD', '/v1/data/boxes/box_1')).toMatchObject({ status: 200, body: '' })
  })

  it('is 304 when If-None-Match is * or names its tag as weak, as sent by a proxy that compresses', async () => {
    const etag = (await boxes.request('GET', '/v1/data/boxes/box_1')).headers.get('etag') ?? ''
    for (const field of [`W/${etag}`, '*']) {
      const response = await boxes.request('GET', '/v1/data/boxes/box_1', { headers: { 'if-none-match': field } })
      expect([field, response.status]).toEqual([field, 304])
    }
  })

  it('is 412 when If-Match does not name the current tag, or names it as weak', async () => {
    const etag = (await boxes.request('GET', '/v1/data/boxes/box_1')).headers.get('etag') ?? ''
    const change = (tag: string) =>
      boxes.request('PATCH', '/v1/data/boxes/box_1', { json: { name: 'two' }, headers: { 'if-match': tag } })
    for (const tag of ['"something else"', `W/${etag}`])
      expect(await change(tag)).toMatchObject(problemOf(412, 'precondition_failed'))
    expect(await change(etag)).toMatchObject({ status: 200 })
    expect(await boxes.request('DELETE', '/v1/data/boxes/box_1', { headers: { 'if-match': '"x"' } })).toMatchObject(
      problemOf(412, 'precondition_failed'),
    )
  })

  it('is 412 when If-Match does not name the current tag and the body or query identifies the resource', async () => {
    const etag = (await boxes.request('GET', '/v1/data/boxes/box_3')).headers.get('etag') ?? ''
    const change = (tag: string, id = 'box_3') =>
      boxes.request('PATCH', '/v1/data/boxes', { json: { id, name: 'two' }, headers: { 'if-match': tag } })
    const remove = (tag: string) => boxes.request('DELETE', '/v1/data/boxes?id=box_3', { headers: { 'if-match': tag } })
    expect([(await change(etag)).status, (await remove(etag)).status]).toEqual([200, 200])
    for (const response of [await change('"x"'), await change(etag, 'box_4'), await remove('"x"')])
      expect(response).toMatchObject(problemOf(412, 'precondition_failed'))
  })

  it('has a new tag when a volatile field changed, but If-Match with the old tag still matches', async () => {
    const read = async () => (await boxes.request('GET', '/v1/data/used')).headers.get('etag') ?? ''
    const [before, after] = [await read(), await read()]
    expect(after).toMatch(/^"[\w-]{27}\.[\w-]{27}"$/)
    expect(after).not.toBe(before)
    expect((await boxes.request('GET', '/v1/data/used', { headers: { 'if-none-match': before } })).status).toBe(200)
    const change = (name: string) =>
      boxes.request('PATCH', '/v1/data/used', { json: { name }, headers: { 'if-match': before } })
    expect((await change('first')).status).toBe(200)
    expect(await change('second')).toMatchObject(problemOf(412, 'precondition_failed'))
  })

  it('is 201 with Location, without undeclared fields', async () => {
    const response = await boxes.request('POST', '/v1/data/boxes', { json: { name: 'new' } })
    expect(response.status).toBe(201)
    expect(response.headers.get('location')).toBe('https://api.example.com/v1/data/boxes/box_9')
    expect(response.body).toEqual({ success: true, data: { id: 'box_9', name: 'new', size: 1 } })
  })

  it('has the pagination of a list, and the id of a deleted resource', async () => {
    expect((await boxes.request('GET', '/v1/data/boxes?limit=3')).body).toEqual({
      success: true,
      data: [{ id: 'box_1', name: 'any', size: 3 }],
      pagination: { next_cursor: expect.stringMatching(/^[\w-]{22}box_1$/), has_more: true },
    })
    expect((await boxes.request('DELETE', '/v1/data/boxes/box_5')).body).toEqual({
      success: true,
      data: { box_id: 'box_5', deleted: true },
    })
  })

  it('has the status the operation chose when the endpoint declares several', async () => {
    expect((await boxes.request('POST', '/v1/data/boxes/box_1/put', { json: { fresh: true } })).status).toBe(201)
    expect((await boxes.request('POST', '/v1/data/boxes/box_1/put', { json: { fresh: false } })).status).toBe(200)
  })

  it('has the request id of the caller, or a new one when that is malformed', async () => {
    const given = await boxes.request('GET', '/v1/data/boxes', { headers: { 'x-request-id': 'mine.1234' } })
    expect(given.headers.get('x-request-id')).toBe('mine.1234')
    const created = await boxes.request('GET', '/v1/data/boxes', { headers: { 'x-request-id': 'bad id' } })
    expect(created.headers.get('x-request-id')).toMatch(/^req-/)
  })
})

describe('an error response', () => {
  it('reports path, method, credential, scope, input and resource in this order', async () => {
    const anonymous = { headers: { 'x-workspace-scope': '' } }
    expect(await boxes.request('GET', '/v1/data/nothing', anonymous)).toMatchObject(problemOf(404, 'not_found'))
    const wrongMethod = await boxes.request('PUT', '/v1/data/boxes', anonymous)
    expect(wrongMethod).toMatchObject(problemOf(405, 'method_not_allowed'))
    expect(wrongMethod.headers.get('allow')).toBe('GET, POST, PATCH, DELETE, HEAD')
    const refused = await boxes.request('POST', '/v1/data/boxes', { ...anonymous, json: {} })
    expect(refused).toMatchObject(problemOf(401, 'invalid_credential'))
    expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer/)
    expect(
      await boxes.request('POST', '/v1/data/boxes', { caller: { scopes: ['data:read'] }, json: {} }),
    ).toMatchObject(problemOf(403, 'missing_scope'))
    expect(await boxes.request('POST', '/v1/data/boxes', { json: {} })).toMatchObject(
      problemOf(400, 'validation_failed'),
    )
    expect(await boxes.request('GET', '/v1/data/boxes/box_404')).toMatchObject(problemOf(404, 'not_found'))
  })

  it('is a problem document whose type is the documentation of the code', async () => {
    const response = await boxes.request('GET', '/v1/data/boxes/box_404', { headers: { 'x-request-id': 'trace-me-1' } })
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(response.body).toMatchObject({
      type: 'https://api.example.com/docs/errors/not_found',
      title: 'Not found',
      request_id: 'trace-me-1',
    })
  })

  it('is 404 when the identifier is malformed', async () => {
    expect(await boxes.request('GET', '/v1/data/boxes/hello')).toMatchObject(problemOf(404, 'not_found'))
  })

  it('is 404 when the path cannot be decoded', async () => {
    for (const id of ['%zz', '%', '%c0%af', '%ff'])
      expect(await boxes.request('GET', `/v1/data/boxes/${id}`)).toMatchObject(problemOf(404, 'not_found'))
  })

  it('is 400 for invalid input even when the resource does not exist', async () => {
    for (const id of ['hello', 'box_404']) {
      expect(await boxes.request('PATCH', `/v1/data/boxes/${id}`, { json: { colour: 1 } })).toMatchObject(
        problemOf(400, 'validation_failed'),
      )
      expect(await boxes.request('GET', `/v1/data/boxes/${id}?colour=red`)).toMatchObject(
        problemOf(400, 'validation_failed'),
      )
    }
  })

  it('has a pointer to each invalid field of the body', async () => {
    const response = await boxes.request('POST', '/v1/data/boxes', {
      json: { name: 'much too long a name', more: 1, 'a/b': 2, tags: [{ word: 'four' }] },
    })
    const pointers = response.body.errors.map((error: { pointer: string }) => error.pointer)
    expect(pointers.sort()).toEqual(['/a~1b', '/more', '/name', '/tags/0/word'])
    const missing = await boxes.request('POST', '/v1/data/boxes', { json: {} })
    expect(missing.body.errors).toEqual([{ pointer: '/name', detail: 'is required' }])
  })

  it('has a pointer to invalid, unknown and repeated query parameters', async () => {
    const pointerOf = async (path: string) => (await boxes.request('GET', path)).body.errors[0].pointer
    expect(await pointerOf('/v1/data/boxes?limit=0')).toBe('?limit')
    expect(await pointerOf('/v1/data/boxes?limit=101')).toBe('?limit')
    for (const limit of ['0x10', '1e1', '%2B5', '%205', ''])
      expect([limit, await pointerOf(`/v1/data/boxes?limit=${limit}`)]).toEqual([limit, '?limit'])
    expect(await pointerOf('/v1/data/boxes?colour=red')).toBe('?colour')
    expect(await pointerOf('/v1/data/boxes?name=a&name=b')).toBe('?name')
    expect(await pointerOf('/v1/data/boxes/box_1?x=1')).toBe('?x')
    expect(await pointerOf('/v1/data/boxes?name=%00')).toBe('?name')
    expect(await pointerOf('/v1/data/boxes?name=what?&colour=red')).toBe('?colour')
  })

  it.each([
    ['broken JSON', '{"name":', 'application/json', 400, 'malformed_body'],
    ['bytes that are not UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 'application/json', 400, 'malformed_body'],
    ['another content type', 'name=x', 'application/x-www-form-urlencoded', 415, 'unsupported_media_type'],
    ['a body with a NUL', '{"name":"a\\u0000b"}', 'application/json', 400, 'validation_failed'],
    ['a body of empty objects', `[${'{},'.repeat(300_000)}{}]`, 'application/json', 400, 'malformed_body'],
    ['more than a mebibyte', `{"name":"${'x'.repeat(1_048_577)}"}`, 'application/json', 413, 'payload_too_large'],
  ])('reports %s', async (_, body, type, status, code) => {
    const response = await boxes.request('POST', '/v1/data/boxes', { body, headers: { 'content-type': type } })
    expect(response).toMatchObject(problemOf(status, code))
  })

  it('is 413 when the body is too large and has no Content-Length', async () => {
    const parts = ReadableStream.from(
      (function* () {
        for (let part = 0; part < 20; part += 1) yield new Uint8Array(65_536).fill(32)
      })(),
    )
    const response = await boxes.request('POST', '/v1/data/boxes', {
      body: parts,
      headers: { 'content-type': 'application/json' },
    })
    expect(response).toMatchObject(problemOf(413, 'payload_too_large'))
  })

  it('has a pointer to an unpaired surrogate, which PostgreSQL cannot store', async () => {
    const headers = { 'content-type': 'application/json' }
    const response = await boxes.request('POST', '/v1/data/kept', { body: '{"a":[{"b":"\\ud800"}]}', headers })
    expect(response).toMatchObject(problemOf(400, 'validation_failed'))
    expect(response.body.errors[0].pointer).toBe('/a/0/b')
    const name = await boxes.request('POST', '/v1/data/kept', { body: '{"\\udc00":1}', headers })
    expect(name).toMatchObject(problemOf(400, 'validation_failed'))
    const whole = await boxes.request('POST', '/v1/data/kept', { body: '{"a":"\\ud83d\\ude00"}', headers })
    expect(whole.status).toBe(200)
  })

  it.each([
    ['plain', '1'],
    ['around a NUL', '"\\u0000"'],
  ])('is 400 when the body is nested too deeply: %s', async (_, core) => {
    const body = `{"a":${'['.repeat(200_000)}${core}${']'.repeat(200_000)}}`
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'deep-one' }
    const response = await boxes.request('POST', '/v1/data/kept', { body, headers })
    expect(response).toMatchObject(problemOf(400, 'malformed_body'))
  })

  it('is 415 when the body is compressed', async () => {
    const response = await boxes.request('POST', '/v1/data/boxes', {
      json: { name: 'x' },
      headers: { 'content-encoding': 'gzip' },
    })
    expect(response).toMatchObject(problemOf(415, 'unsupported_media_type'))
  })

  it('does not show the cause when the operation fails or its result breaks the contract', async () => {
    for (const path of ['/v1/data/failing', '/v1/data/broken']) {
      const response = await boxes.request('GET', path)
      expect(response).toMatchObject(problemOf(500, 'internal_error'))
      expect(JSON.stringify(response.body)).not.toMatch(/hunter2|size/)
    }
  })
})

describe('a streamed body', () => {
  it('is passed to the operation unread, with charset and preference', async () => {
    const headers = { 'content-type': 'text/csv; charset="ISO-8859-1"', prefer: 'respond-async, wait=5' }
    const response = await boxes.request('POST', '/v1/data/boxes/box_1/fill', { body: 'a,b\n1,2\n', headers })
    expect(response.body.data).toEqual({ bytes: 8, charset: 'iso-8859-1', asynchronous: true })
  })

  it('is rejected with 415 when its content type is not declared', async () => {
    const response = await boxes.request('POST', '/v1/data/boxes/box_1/fill', {
      body: 'x',
      headers: { 'content-type': 'text/plain' },
    })
    expect(response).toMatchObject(problemOf(415, 'unsupported_media_type'))
  })
})

describe('an endpoint without a body', () => {
  it('accepts no body or an empty object, and rejects any other', async () => {
    expect((await boxes.request('POST', '/v1/data/boxes/box_1/touch')).status).toBe(200)
    expect((await boxes.request('POST', '/v1/data/boxes/box_1/touch', { json: {} })).status).toBe(200)
    expect((await boxes.request('DELETE', '/v1/data/boxes/box_1', { json: {} })).status).toBe(200)
    const response = await boxes.request('POST', '/v1/data/boxes/box_1/touch', { json: { hard: true } })
    expect(response).toMatchObject(problemOf(400, 'validation_failed'))
    expect(response.body.errors).toEqual([{ pointer: '/hard', detail: 'is not a known field' }])
    const form = await boxes.request('POST', '/v1/data/boxes/box_1/touch', {
      body: 'a=1',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(form).toMatchObject(problemOf(415, 'unsupported_media_type'))
  })
})

describe('a body with very many errors', () => {
  const many = Array.from({ length: 5_000 }, (_, index) => index)

  it.each([
    ['unknown fields', Object.fromEntries(many.slice(0, 900).map((index) => [`f${index}`, 1]))],
    ['values', { name: 'a', tags: many }],
  ])('gets a response with the first 100: %s', async (_, json) => {
    const response = await boxes.request('POST', '/v1/data/boxes', { json })
    expect(response).toMatchObject(problemOf(400, 'validation_failed'))
    expect(response.body.errors).toHaveLength(100)
  })
})

describe('a token endpoint', () => {
  const form = (body: string, query = '') =>
    boxes.request('POST', `/v1/data/token${query}`, {
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })

  it('ignores unknown parameters in body and query, as RFC 6749 requires', async () => {
    expect(await form('client_id=a&more=1', '?resource=x&x=1&x=2')).toMatchObject({
      status: 200,
      body: { client_id: 'a' },
    })
  })

  it('rejects more than 100 parameters in the body', async () => {
    expect(await form('a=&'.repeat(99))).toMatchObject({ status: 200 })
    expect(await form('a=&'.repeat(100))).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })

  it('rejects NUL, which PostgreSQL cannot store', async () => {
    expect(await form('client_id=a%00b')).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })
})

describe('the metadata of a request', () => {
  it('has the idempotency key with a fingerprint of the request', async () => {
    const create = (key: string, name: string) =>
      boxes.request('POST', '/v1/data/boxes', { json: { name }, headers: { 'idempotency-key': key } })
    await create('k1', 'a')
    await create('k1', 'a')
    await create('k1', 'b')
    const [first, second, third] = boxes.seen.callers.slice(-3).map((caller) => caller.request?.idempotency)
    expect(first).toEqual(second)
    expect(third?.key).toBe('k1')
    expect(third?.fingerprint).not.toBe(first?.fingerprint)
    expect(await create('with space', 'a')).toMatchObject(problemOf(400, 'validation_failed'))
  })

  it('treats an empty body as an empty object', async () => {
    const response = await boxes.request('PATCH', '/v1/data/boxes/box_1')
    expect(response).toMatchObject({ status: 200, body: { data: { name: 'one' } } })
  })
})

describe('a query', () => {
  it.each([
    ['name=M%FC', '?name'],
    ['name=%ED%A0%80', '?name'],
    ['%ff=1', '?\ufffd'],
  ])('is rejected when it is not UTF-8: %s', async (query, pointer) => {
    const { body } = await boxes.request('GET', `/v1/data/boxes?${query}`)
    expect(body.errors).toEqual([{ pointer, detail: 'must be UTF-8' }])
  })

  it('may have the replacement character itself', async () => {
    expect(await boxes.request('GET', '/v1/data/boxes?name=%EF%BF%BD')).toMatchObject({ status: 200 })
  })
})

describe('a filter by pairs', () => {
  it('is serialized in brackets, and rejected with a pointer when the list does not have it', async () => {
    const written = serializeQuery({ limit: 3, cursor: undefined, metadata: { team: 'north', 'a b': '=&' } })
    expect(written.toString()).toBe('limit=3&metadata%5Bteam%5D=north&metadata%5Ba+b%5D=%3D%26')
    expect(parseQuery(written)).toEqual({
      values: { limit: '3', metadata: { team: 'north', 'a b': '=&' } },
      duplicates: [],
    })
    const response = await boxes.request('GET', '/v1/data/boxes?metadata[team]=north')
    expect(response.body.errors).toEqual([{ pointer: '?metadata', detail: 'is not a known field' }])
    const twice = await boxes.request('GET', '/v1/data/boxes?metadata[a]=1&metadata[a]=2')
    expect(twice.body.errors).toEqual([{ pointer: '?metadata[a]', detail: 'must occur once' }])
  })

  it.each(['metadata=x&metadata[a]=1', 'metadata[a]=1&metadata=x'])('is rejected beside a value: %s', async (query) => {
    const { body } = await boxes.request('GET', `/v1/data/boxes?${query}`)
    expect(body.errors).toEqual([{ pointer: '?metadata', detail: 'must occur once' }])
  })

  it('is parsed in linear time', () => {
    // copying the pairs for each one would take longer than the timeout of the test
    const count = 200_000
    const query = new URLSearchParams(
      Array.from({ length: count }, (_, index): [string, string] => [`m[k${index}]`, 'v']),
    )
    expect(Object.keys(parseQuery(query).values.m ?? {})).toHaveLength(count)
  })
})
