import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { startTestConsole, type TestConsole } from '../fixture/console.ts'
import { sendJson } from '../fixture/fake-edge.ts'

const keys = '/v1/auth/api-key'
const events = '/v1/notifications/events/stream'
const document = '/v1/audit/docs/doc_01h455vb4pex5vsknk084sn02q/content'
const upload = '/v1/data/sources/src_01h455vb4pex5vsknk084sn02q/records'
const api = '/console/api'

let console: TestConsole
let cookie: string
beforeAll(async () => {
  console = await startTestConsole()
  cookie = await console.signIn()
})
beforeEach(() => console.edge.reset())
afterAll(() => console.stop())

describe('a proxied request', () => {
  it('has the token of the session and none of the credentials of the browser', async () => {
    console.edge.on(`POST ${keys}`, async (_, response, body) => sendJson(response, 201, { got: await body() }))
    const headers = {
      cookie: `${cookie}; login=1`,
      authorization: 'Bearer stolen',
      'x-api-key': 'key_stolen',
      'x-workspace-key': 'ws_1',
      'idempotency-key': 'once',
      'if-match': '"1"',
      prefer: 'respond-async',
      origin: 'http://localhost:4000',
      'x-anything': '1',
      'user-agent': 'a browser',
    }
    const response = await console.send('POST', `${api}${keys}?dry=1&dry=2`, { headers, body: { name: 'key' } })
    expect(response).toMatchObject({ status: 201, body: { got: '{"name":"key"}' } })
    const [sent] = console.edge.requests
    expect([sent?.method, sent?.path]).toEqual(['POST', `${keys}?dry=1&dry=2`])
    expect(sent?.headers).toMatchObject({
      authorization: 'Bearer access-1',
      'x-workspace-key': 'ws_1',
      'idempotency-key': 'once',
      'if-match': '"1"',
      prefer: 'respond-async',
      'content-type': 'application/json',
      'user-agent': 'a browser',
      'x-request-id': response.headers.get('x-request-id'),
    })
    for (const name of ['cookie', 'x-api-key', 'origin', 'x-anything', 'x-console'])
      expect(sent?.headers).not.toHaveProperty(name)
  })

  it('needs a session, except for what needs no credential', async () => {
    console.edge.on('GET /v1/system/health', (_, response) => sendJson(response, 200, {}))
    const refused = await console.send('GET', api + keys)
    expect([refused.status, refused.body.code, refused.headers.getSetCookie()]).toEqual([401, 'missing_credential', []])
    const stale = await console.send('GET', api + keys, { cookie: `console=${'A'.repeat(43)}` })
    expect([stale.status, stale.body.code]).toEqual([401, 'invalid_credential'])
    expect(stale.headers.getSetCookie()[0]).toContain('console=; Max-Age=0')
    const twice = await console.send('GET', api + keys, { cookie: `${cookie}; console=other` })
    expect(twice.status).toBe(401)
    expect((await console.send('GET', `${api}/v1/system/health`)).status).toBe(200)
    expect(console.edge.requests.map(({ headers }) => headers.authorization)).toEqual([undefined])
  })

  it('never reaches an endpoint outside the list', async () => {
    const paths = ['/v1/auth/token', '/v1/auth/logout', '/v1/auth/authorize', '/.well-known/jwks.json', '/docs', '']
    for (const path of paths) expect((await console.send('POST', api + path, { cookie, body: {} })).status).toBe(404)
    expect(console.edge.requests).toEqual([])
  })

  it('gets 502 when the edge closes the connection', async () => {
    console.edge.on(`GET ${keys}`, (request) => request.socket.destroy())
    const response = await console.send('GET', api + keys, { cookie })
    expect([response.status, response.body.code]).toEqual([502, 'bad_gateway'])
  })
})

describe('a proxied response', () => {
  it('has no cookie and no CORS header, and is never rendered on the origin of the app', async () => {
    console.edge.on(`GET ${keys}`, (_, response) =>
      response
        .writeHead(200, {
          'content-type': 'text/html',
          'set-cookie': ['console=stolen', 'a=b'],
          'access-control-allow-origin': '*',
          'access-control-allow-credentials': 'true',
          'content-security-policy': "script-src 'unsafe-inline'",
          'clear-site-data': '"*"',
          'service-worker-allowed': '/',
          refresh: '0; url=https://evil.example',
          etag: '"1"',
          ratelimit: '"default";r=1;t=1',
        })
        .end('<script>alert(1)</script>'),
    )
    const { headers } = await console.send('GET', api + keys, { cookie })
    expect(headers.getSetCookie()).toEqual([])
    const got = Object.fromEntries(headers)
    expect(got).toMatchObject({
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'content-disposition': 'attachment',
      'x-content-type-options': 'nosniff',
      etag: '"1"',
      ratelimit: '"default";r=1;t=1',
    })
    for (const name of ['access-control-allow-origin', 'clear-site-data', 'service-worker-allowed', 'refresh'])
      expect(got).not.toHaveProperty(name)
  })

  it('keeps the name of a file and its bytes', async () => {
    const bytes = Buffer.alloc(8_388_608, 'downloaded ')
    console.edge.on(`GET ${document}`, (_, response) =>
      response
        .writeHead(200, {
          'content-type': 'application/pdf',
          'content-disposition': `inline; filename="audit.pdf"; filename*=UTF-8''audit.pdf`,
          'content-length': bytes.length,
        })
        .end(bytes),
    )
    const response = await console.open('GET', api + document, { cookie, headers: { 'x-console': undefined } })
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="audit.pdf"; filename*=UTF-8''audit.pdf`,
    )
    expect(bytes.equals(Buffer.from(await response.arrayBuffer()))).toBe(true)
  })

  it('has no body for HEAD and for an unchanged resource', async () => {
    console.edge.on(`HEAD ${keys}`, (_, response) => response.writeHead(200, { etag: '"1"' }).end())
    console.edge.on(`GET ${keys}`, (_, response) => response.writeHead(304, { etag: '"1"' }).end())
    expect(await console.send('HEAD', api + keys, { cookie })).toMatchObject({ status: 200, body: '' })
    expect(await console.send('GET', api + keys, { cookie })).toMatchObject({ status: 304, body: '' })
  })

  it('breaks off when that of the edge breaks off', async () => {
    console.edge.on(`GET ${document}`, (request, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('half', () => request.socket.destroy())
    })
    const response = await console.open('GET', api + document, { cookie })
    await expect(response.text()).rejects.toThrow()
  })
})

describe('an upload', () => {
  const chunk = new Uint8Array(65_536).fill(97)

  /** A body of `count` chunks that counts how many were taken. */
  function createBody(count: number) {
    const hash = createHash('sha256')
    const body = { taken: 0, hash, stream: new ReadableStream<Uint8Array>() }
    body.stream = new ReadableStream(
      {
        pull(controller) {
          if (body.taken === count) return controller.close()
          body.taken += 1
          hash.update(chunk)
          controller.enqueue(chunk)
        },
      },
      { highWaterMark: 0 },
    )
    return body
  }
  const csv = { 'content-type': 'text/csv' }

  it('is received as fast as the edge reads it', async () => {
    const count = 1_024
    const body = createBody(count)
    const { promise: mayRead, resolve: read } = Promise.withResolvers<void>()
    console.edge.on(`POST ${upload}`, async (request, response) => {
      await mayRead
      const hash = createHash('sha256')
      for await (const part of request) hash.update(part)
      sendJson(response, 200, { hash: hash.digest('hex') })
    })
    const sent = console.send('POST', api + upload, { cookie, headers: csv, rawBody: body.stream })
    let last = -1
    let same = 0
    await eventually(() => {
      same = body.taken === last ? same + 1 : 0
      last = body.taken
      return same >= 10 && last > 0
    })
    expect(body.taken).toBeLessThan(count / 2)
    read()
    const { body: got } = await sent
    expect(got.hash).toBe(body.hash.digest('hex'))
  })

  it('gets the response of an API that refuses it early', async () => {
    console.edge.on(`POST ${upload}`, (request, response) => {
      sendJson(response, 413, { code: 'payload_too_large' })
      request.resume()
    })
    const body = createBody(1_024)
    const response = await console.send('POST', api + upload, { cookie, headers: csv, rawBody: body.stream })
    expect([response.status, response.body.code]).toEqual([413, 'payload_too_large'])
  })

  it('ends at the edge when the browser goes away', async () => {
    const { promise: closed, resolve: close } = Promise.withResolvers<void>()
    console.edge.on(`POST ${upload}`, (request) => void request.resume().once('close', close))
    const abort = new AbortController()
    const endless = new ReadableStream({
      async pull(controller) {
        await new Promise((resolve) => setImmediate(resolve))
        if (abort.signal.aborted) controller.close()
        else controller.enqueue(chunk)
      },
    })
    const options = { cookie, headers: csv, rawBody: endless, signal: abort.signal }
    const sent = console.send('POST', api + upload, options).catch(() => 'aborted')
    await eventually(() => console.edge.count(upload) > 0)
    abort.abort()
    await closed
    expect(await sent).toBe('aborted')
  })
})

describe('a stream of events', () => {
  /** Opens streams; the edge's responses are kept, to write to them. */
  function serveEvents() {
    const streams: { write(text: string): unknown; closed: Promise<void> }[] = []
    console.edge.on(`GET ${events}`, (_, response) => {
      const { promise: closed, resolve } = Promise.withResolvers<void>()
      response.once('close', resolve).writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      streams.push({ write: (text) => response.write(text), closed })
    })
    return streams
  }
  const listen = async (signal?: AbortSignal, url?: string) => {
    const options = { cookie, headers: { 'last-event-id': '7' }, ...(signal && { signal }), ...(url && { url }) }
    const response = await console.open('GET', api + events, options)
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    return { status: response.status, headers: response.headers, read: async () => (await reader?.read())?.value }
  }

  it('is sent event by event, and ends at the edge when the browser goes away', async () => {
    const streams = serveEvents()
    const abort = new AbortController()
    const { read } = await listen(abort.signal)
    expect(console.edge.requests[0]?.headers['last-event-id']).toBe('7')
    for (const data of ['data: 1\n\n', 'data: 2\n\n']) {
      streams[0]?.write(data)
      expect(await read()).toBe(data)
    }
    abort.abort()
    await streams[0]?.closed
  })

  it('counts as a request in progress, of which a session has 32 at most', async () => {
    const streams = serveEvents()
    const abort = new AbortController()
    const opened = await Promise.all(Array.from({ length: 32 }, () => listen(abort.signal)))
    expect(new Set(opened.map(({ status }) => status))).toEqual(new Set([200]))
    const refused = await console.send('GET', api + keys, { cookie })
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([429, 'rate_limited', '1'])
    const other = await console.signIn()
    console.edge.on(`GET ${keys}`, (_, response) => sendJson(response, 200, {}))
    expect((await console.send('GET', api + keys, { cookie: other })).status).toBe(200)
    abort.abort()
    await Promise.all(streams.map(({ closed }) => closed))
    await eventually(async () => (await console.send('GET', api + keys, { cookie })).status === 200)
  })
})

describe('a replica that stops', () => {
  it('ends streams of events properly, so that the app reconnects', async () => {
    console.edge.on(`GET ${events}`, (_, response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n'),
    )
    const replica = await console.addReplica()
    const response = await console.open('GET', api + events, { cookie, url: replica.url })
    const text = response.text()
    await eventually(() => console.edge.count(events) === 1)
    await replica.stop()
    expect(await text).toBe('data: 1\n\n')
  })
})
