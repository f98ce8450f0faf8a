import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { parseQuery, serializeQuery } from '@wp/contracts'
import { type BoxService, startBoxes } from './fixture.ts'

let boxes: BoxService
beforeAll(async () => {
  boxes = await startBoxes()
})
afterAll(() => boxes.stop())

const problemOf = (status: number, code: string) => ({
  status,
  body: expect.objectContaining({ success: false, status, code }),
})

describe('answers', () => {
  it('wraps one resource in the envelope, with a strong entity tag and private caching', async () => {
    const answer = await boxes.request('GET', '/v1/data/boxes/box_1')
    expect(answer).toMatchObject({ status: 200, body: { success: true, data: { id: 'box_1', name: 'one', size: 1 } } })
    expect(answer.headers.get('etag')).toMatch(/^"[\w-]{27}"$/)
    expect(answer.headers.get('cache-control')).toBe('private, no-cache')
    expect(answer.headers.get('vary')).toBe('Authorization, x-api-key, x-workspace-key')
  })

  it('answers 304 to the tag it gave, and HEAD without a body', async () => {
    const first = await boxes.request('GET', '/v1/data/boxes/box_1')
    const etag = first.headers.get('etag') ?? ''
    expect(
      await boxes.request('GET', '/v1/data/boxes/box_1', { headers: { 'if-none-match': `"other", ${etag}` } }),
    ).toMatchObject({ status: 304, body: '' })
    expect(await boxes.request('HEAD', '/v1/data/boxes/box_1')).toMatchObject({ status: 200, body: '' })
  })

  it('answers 304 also to its tag weakened on the way, as a proxy that compresses does', async () => {
    const etag = (await boxes.request('GET', '/v1/data/boxes/box_1')).headers.get('etag') ?? ''
    const answer = await boxes.request('GET', '/v1/data/boxes/box_1', { headers: { 'if-none-match': `W/${etag}` } })
    expect(answer.status).toBe(304)
  })

  it('changes only what If-Match names', async () => {
    const etag = (await boxes.request('GET', '/v1/data/boxes/box_1')).headers.get('etag') ?? ''
    const change = (tag: string) =>
      boxes.request('PATCH', '/v1/data/boxes/box_1', { json: { name: 'two' }, headers: { 'if-match': tag } })
    expect(await change('"something else"')).toMatchObject(problemOf(412, 'precondition_failed'))
    expect(await change(etag)).toMatchObject({ status: 200 })
    expect(await boxes.request('DELETE', '/v1/data/boxes/box_1', { headers: { 'if-match': '"x"' } })).toMatchObject(
      problemOf(412, 'precondition_failed'),
    )
  })

  it('changes only what If-Match names, also where the path does not say which it is', async () => {
    const etag = (await boxes.request('GET', '/v1/data/boxes/box_3')).headers.get('etag') ?? ''
    const change = (tag: string, id = 'box_3') =>
      boxes.request('PATCH', '/v1/data/boxes', { json: { id, name: 'two' }, headers: { 'if-match': tag } })
    const remove = (tag: string) => boxes.request('DELETE', '/v1/data/boxes?id=box_3', { headers: { 'if-match': tag } })
    expect([(await change(etag)).status, (await remove(etag)).status]).toEqual([200, 200])
    for (const answer of [await change('"x"'), await change(etag, 'box_4'), await remove('"x"')])
      expect(answer).toMatchObject(problemOf(412, 'precondition_failed'))
  })

  it('lets what changes by itself change: another tag, but no reason to refuse a change', async () => {
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

  it('answers 201 with Location, and never a field that is not declared', async () => {
    const answer = await boxes.request('POST', '/v1/data/boxes', { json: { name: 'new' } })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('location')).toBe('https://api.example.com/v1/data/boxes/box_9')
    expect(answer.body).toEqual({ success: true, data: { id: 'box_9', name: 'new', size: 1 } })
  })

  it('answers a list with its pagination, a deletion with the id', async () => {
    expect((await boxes.request('GET', '/v1/data/boxes?limit=3&cursor=abc')).body).toEqual({
      success: true,
      data: [{ id: 'box_1', name: 'any', size: 3 }],
      pagination: { next_cursor: 'abc', has_more: true },
    })
    expect((await boxes.request('DELETE', '/v1/data/boxes/box_5')).body).toEqual({
      success: true,
      data: { box_id: 'box_5', deleted: true },
    })
  })

  it('answers the outcome an operation names where there are several', async () => {
    expect((await boxes.request('POST', '/v1/data/boxes/box_1/put', { json: { fresh: true } })).status).toBe(201)
    expect((await boxes.request('POST', '/v1/data/boxes/box_1/put', { json: { fresh: false } })).status).toBe(200)
  })

  it('takes an acceptable request id, mints another, and gives it back', async () => {
    const given = await boxes.request('GET', '/v1/data/boxes', { headers: { 'x-request-id': 'mine.1234' } })
    expect(given.headers.get('x-request-id')).toBe('mine.1234')
    const minted = await boxes.request('GET', '/v1/data/boxes', { headers: { 'x-request-id': 'bad id' } })
    expect(minted.headers.get('x-request-id')).toMatch(/^req-/)
  })
})

describe('refusals', () => {
  it('keeps the order: path, method, credential, scope, input, resource', async () => {
    const nobody = { headers: { 'x-workspace-scope': '' } }
    expect(await boxes.request('GET', '/v1/data/nothing', nobody)).toMatchObject(problemOf(404, 'not_found'))
    const wrongMethod = await boxes.request('PUT', '/v1/data/boxes', nobody)
    expect(wrongMethod).toMatchObject(problemOf(405, 'method_not_allowed'))
    expect(wrongMethod.headers.get('allow')).toBe('GET, POST, PATCH, DELETE, HEAD')
    const refused = await boxes.request('POST', '/v1/data/boxes', { ...nobody, json: {} })
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

  it('is a problem document with the type that documents it', async () => {
    const answer = await boxes.request('GET', '/v1/data/boxes/box_404', { headers: { 'x-request-id': 'trace-me-1' } })
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(answer.body).toMatchObject({
      type: 'https://api.example.com/docs/errors/not_found',
      title: 'Not found',
      request_id: 'trace-me-1',
    })
  })

  it('reads an identifier that cannot exist as missing', async () => {
    expect(await boxes.request('GET', '/v1/data/boxes/hello')).toMatchObject(problemOf(404, 'not_found'))
  })

  it('reads a path that cannot be decoded as missing, and shows nothing of us', async () => {
    for (const id of ['%zz', '%', '%c0%af', '%ff'])
      expect(await boxes.request('GET', `/v1/data/boxes/${id}`)).toMatchObject(problemOf(404, 'not_found'))
  })

  it('refuses the input before it misses the resource, also where the identifier cannot exist', async () => {
    for (const id of ['hello', 'box_404']) {
      expect(await boxes.request('PATCH', `/v1/data/boxes/${id}`, { json: { colour: 1 } })).toMatchObject(
        problemOf(400, 'validation_failed'),
      )
      expect(await boxes.request('GET', `/v1/data/boxes/${id}?colour=red`)).toMatchObject(
        problemOf(400, 'validation_failed'),
      )
    }
  })

  it('points at every wrong field of a body', async () => {
    const answer = await boxes.request('POST', '/v1/data/boxes', {
      json: { name: 'much too long a name', more: 1, 'a/b': 2, tags: [{ word: 'four' }] },
    })
    const pointers = answer.body.errors.map((error: { pointer: string }) => error.pointer)
    expect(pointers.sort()).toEqual(['/a~1b', '/more', '/name', '/tags/0/word'])
    const missing = await boxes.request('POST', '/v1/data/boxes', { json: {} })
    expect(missing.body.errors).toEqual([{ pointer: '/name', detail: 'is required' }])
  })

  it('points at wrong, unknown and repeated query parameters', async () => {
    const pointerOf = async (path: string) => (await boxes.request('GET', path)).body.errors[0].pointer
    expect(await pointerOf('/v1/data/boxes?limit=0')).toBe('?limit')
    expect(await pointerOf('/v1/data/boxes?limit=101')).toBe('?limit')
    expect(await pointerOf('/v1/data/boxes?colour=red')).toBe('?colour')
    expect(await pointerOf('/v1/data/boxes?name=a&name=b')).toBe('?name')
    expect(await pointerOf('/v1/data/boxes/box_1?x=1')).toBe('?x')
    expect(await pointerOf('/v1/data/boxes?name=%00')).toBe('?name')
    expect(await pointerOf('/v1/data/boxes?name=what?&colour=red')).toBe('?colour')
  })

  it.each([
    ['broken JSON', '{"name":', 'application/json', 400, 'malformed_body'],
    ['bytes that are no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 'application/json', 400, 'malformed_body'],
    ['another content type', 'name=x', 'application/x-www-form-urlencoded', 415, 'unsupported_media_type'],
    ['a body with a NUL', '{"name":"a\\u0000b"}', 'application/json', 400, 'validation_failed'],
    ['more than a mebibyte', `{"name":"${'x'.repeat(1_048_577)}"}`, 'application/json', 413, 'payload_too_large'],
  ])('refuses %s', async (_, body, type, status, code) => {
    const answer = await boxes.request('POST', '/v1/data/boxes', { body, headers: { 'content-type': type } })
    expect(answer).toMatchObject(problemOf(status, code))
  })

  it('refuses too much also when the length is not said', async () => {
    const parts = ReadableStream.from(
      (function* () {
        for (let part = 0; part < 20; part += 1) yield new Uint8Array(65_536).fill(32)
      })(),
    )
    const answer = await boxes.request('POST', '/v1/data/boxes', {
      body: parts,
      headers: { 'content-type': 'application/json' },
    })
    expect(answer).toMatchObject(problemOf(413, 'payload_too_large'))
  })

  it('refuses half a character, which PostgreSQL cannot keep, and says where', async () => {
    const headers = { 'content-type': 'application/json' }
    const answer = await boxes.request('POST', '/v1/data/kept', { body: '{"a":[{"b":"\\ud800"}]}', headers })
    expect(answer).toMatchObject(problemOf(400, 'validation_failed'))
    expect(answer.body.errors[0].pointer).toBe('/a/0/b')
    const name = await boxes.request('POST', '/v1/data/kept', { body: '{"\\udc00":1}', headers })
    expect(name).toMatchObject(problemOf(400, 'validation_failed'))
    const whole = await boxes.request('POST', '/v1/data/kept', { body: '{"a":"\\ud83d\\ude00"}', headers })
    expect(whole.status).toBe(200)
  })

  it.each([
    ['plain', '1'],
    ['around a NUL', '"\\u0000"'],
  ])('refuses nesting that no stack could follow: %s', async (_, core) => {
    const body = `{"a":${'['.repeat(200_000)}${core}${']'.repeat(200_000)}}`
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'deep-one' }
    const answer = await boxes.request('POST', '/v1/data/kept', { body, headers })
    expect(answer).toMatchObject(problemOf(400, 'malformed_body'))
  })

  it('refuses a compressed body rather than inflating it', async () => {
    const answer = await boxes.request('POST', '/v1/data/boxes', {
      json: { name: 'x' },
      headers: { 'content-encoding': 'gzip' },
    })
    expect(answer).toMatchObject(problemOf(415, 'unsupported_media_type'))
  })

  it('says nothing of the cause of a failure, nor of an answer that breaks its contract', async () => {
    for (const path of ['/v1/data/failing', '/v1/data/broken']) {
      const answer = await boxes.request('GET', path)
      expect(answer).toMatchObject(problemOf(500, 'internal_error'))
      expect(JSON.stringify(answer.body)).not.toMatch(/hunter2|size/)
    }
  })
})

describe('streams', () => {
  it('hands the body over unread, with charset and preference', async () => {
    const headers = { 'content-type': 'text/csv; charset="ISO-8859-1"', prefer: 'respond-async, wait=5' }
    const answer = await boxes.request('POST', '/v1/data/boxes/box_1/fill', { body: 'a,b\n1,2\n', headers })
    expect(answer.body.data).toEqual({ bytes: 8, charset: 'iso-8859-1', asynchronous: true })
  })

  it('takes the declared content types alone', async () => {
    const answer = await boxes.request('POST', '/v1/data/boxes/box_1/fill', {
      body: 'x',
      headers: { 'content-type': 'text/plain' },
    })
    expect(answer).toMatchObject(problemOf(415, 'unsupported_media_type'))
  })
})

describe('an endpoint without a body', () => {
  it('takes none, or an empty object, and points at anything else', async () => {
    expect((await boxes.request('POST', '/v1/data/boxes/box_1/touch')).status).toBe(200)
    expect((await boxes.request('POST', '/v1/data/boxes/box_1/touch', { json: {} })).status).toBe(200)
    expect((await boxes.request('DELETE', '/v1/data/boxes/box_1', { json: {} })).status).toBe(200)
    const answer = await boxes.request('POST', '/v1/data/boxes/box_1/touch', { json: { hard: true } })
    expect(answer).toMatchObject(problemOf(400, 'validation_failed'))
    expect(answer.body.errors).toEqual([{ pointer: '/hard', detail: 'is not a known field' }])
    const form = await boxes.request('POST', '/v1/data/boxes/box_1/touch', {
      body: 'a=1',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(form).toMatchObject(problemOf(415, 'unsupported_media_type'))
  })
})

describe('a body with very many things wrong', () => {
  const many = Array.from({ length: 5_000 }, (_, index) => index)

  it.each([
    ['unknown fields', Object.fromEntries(many.map((index) => [`f${index}`, 1]))],
    ['values', { name: 'a', tags: many }],
  ])('is not answered with all of them: %s', async (_, json) => {
    const answer = await boxes.request('POST', '/v1/data/boxes', { json })
    expect(answer).toMatchObject(problemOf(400, 'validation_failed'))
    expect(answer.body.errors).toHaveLength(100)
  })
})

describe('a token endpoint', () => {
  const form = (body: string, query = '') =>
    boxes.request('POST', `/v1/data/token${query}`, {
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })

  it('ignores what it does not know, in body and query, as RFC 6749 asks', async () => {
    expect(await form('client_id=a&more=1', '?resource=x&x=1&x=2')).toMatchObject({
      status: 200,
      body: { client_id: 'a' },
    })
  })

  it('refuses a NUL, which no field of ours can hold', async () => {
    expect(await form('client_id=a%00b')).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })
})

describe('facts of a request', () => {
  it('names the idempotency key by what was sent', async () => {
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

  it('takes an empty body as an empty object', async () => {
    const answer = await boxes.request('PATCH', '/v1/data/boxes/box_1')
    expect(answer).toMatchObject({ status: 200, body: { data: { name: 'one' } } })
  })
})

describe('a filter over pairs', () => {
  it('is written in brackets, and pointed at where it is not one of the list', async () => {
    const written = serializeQuery({ limit: 3, cursor: undefined, metadata: { team: 'north', 'a b': '=&' } })
    expect(written.toString()).toBe('limit=3&metadata%5Bteam%5D=north&metadata%5Ba+b%5D=%3D%26')
    expect(parseQuery(written)).toEqual({
      values: { limit: '3', metadata: { team: 'north', 'a b': '=&' } },
      duplicates: [],
    })
    const answer = await boxes.request('GET', '/v1/data/boxes?metadata[team]=north')
    expect(answer.body.errors).toEqual([{ pointer: '?metadata', detail: 'is not a known field' }])
    const twice = await boxes.request('GET', '/v1/data/boxes?metadata[a]=1&metadata[a]=2')
    expect(twice.body.errors).toEqual([{ pointer: '?metadata[a]', detail: 'must occur once' }])
  })

  it('costs as much as it is long', async () => {
    const query = new URLSearchParams(
      Array.from({ length: 8_000 }, (_, index): [string, string] => [`m[k${index}]`, 'v']),
    )
    const before = process.cpuUsage()
    expect(Object.keys(parseQuery(query).values.m ?? {})).toHaveLength(8_000)
    // some milliseconds; copied anew for each pair it would be a quarter of a minute
    expect(process.cpuUsage(before).user).toBeLessThan(3_000_000)
  })
})
