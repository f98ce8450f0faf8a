import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Edge, eventually, findFreePort, startTestFleet, type TestFleet } from '@wp/testkit'
import { openRaw } from '../raw-connection.ts'

type Responder = (request: IncomingMessage, response: ServerResponse) => void

/** A server in place of data whose responses each test sets. */
let upstream: Server
let respond: Responder
let fleet: TestFleet
/** An edge with short time limits, which other requests may exceed on a busy machine. */
let impatient: Edge
let token: string
beforeAll(async () => {
  upstream = createServer((request, response) => respond(request, response)).listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  const address = upstream.address()
  const port = typeof address === 'object' ? address?.port : undefined
  fleet = await startTestFleet({
    services: ['auth'],
    env: {
      gateway: {
        UPSTREAM: `http://127.0.0.1:${await findFreePort()}`,
        UPSTREAM_OVERRIDES: '',
      },
    },
  })
  const { UPSTREAM_OVERRIDES: _empty, ...env } = fleet.env('gateway')
  await fleet.member('gateway').stop()
  await fleet.restart('gateway', {
    ...env,
    UPSTREAM_OVERRIDES: `auth=${fleet.addresses.auth},data=http://127.0.0.1:${port}`,
  })
  impatient = await fleet.addEdge({ UPSTREAM_TIMEOUT_SECONDS: '1', BODY_WINDOW_SECONDS: '1' })
  token = await fleet.token(fleet.owner)
})
afterAll(async () => {
  await fleet.stop()
  upstream.closeAllConnections()
  upstream.close()
})

const request = (method = 'GET', options: Parameters<TestFleet['request']>[2] = {}) =>
  fleet.request(method, '/v1/data/sources', { as: token, ...options })
const respondJson = (response: ServerResponse, body = '{"ok":true}') =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(body)

describe('a failing service', () => {
  it('causes a 503 problem with the request id when it cannot be reached', async () => {
    const rejected = await fleet.request('GET', '/v1/solutions/solutions', {
      as: token,
      headers: { 'x-request-id': 'find-me-1' },
    })
    expect(rejected).toMatchObject({ status: 503, body: { code: 'service_unavailable', request_id: 'find-me-1' } })
    expect(rejected.headers.get('retry-after')).toBe('1')
    expect(rejected.headers.get('content-type')).toBe('application/problem+json')
    expect(rejected.headers.get('ratelimit')).toMatch(/"workspace";r=/)
  })

  it('causes a 504 when it does not respond in time', async () => {
    respond = () => undefined
    expect(await request('GET', { edge: impatient })).toMatchObject({ status: 504, body: { code: 'gateway_timeout' } })
  })

  it('is not blamed when the client stops within its body: that is a 408', async () => {
    respond = (request) => void request.resume()
    const stalled = openRaw(impatient.baseUrl)
    await stalled.write(
      `POST /v1/data/sources HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: 100\r\n\r\n{"na`,
    )
    expect(await stalled.waitFor(/"request_timeout"/)).toMatch(/^HTTP\/1\.1 408 Request Timeout/)
    await stalled.waitForClose()
  })

  it('causes a 502 when it closes the connection or does not speak HTTP', async () => {
    respond = (request) => request.socket.destroy()
    expect(await request()).toMatchObject({ status: 502, body: { code: 'bad_gateway' } })
    respond = (request) => request.socket.end('hello\r\n\r\n')
    expect(await request()).toMatchObject({ status: 502, body: { code: 'bad_gateway' } })
  })

  it('aborts the response when it fails within its response', async () => {
    respond = (_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half')
      setImmediate(() => response.destroy())
    }
    await expect(request()).rejects.toThrow()
  })

  it('leaves the edge working', async () => {
    respond = (_request, response) => respondJson(response)
    expect((await request()).status).toBe(200)
  })
})

describe('a client that disconnects', () => {
  it('closes the connection to the service before its response', async () => {
    const closed = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    respond = (_request, response) => {
      arrived.resolve()
      response.once('close', closed.resolve)
    }
    const abort = new AbortController()
    const pending = fetch(`${fleet.baseUrl}/v1/data/sources`, {
      headers: { authorization: `Bearer ${token}` },
      signal: abort.signal,
    })
    pending.catch(() => undefined)
    await arrived.promise
    abort.abort()
    await closed.promise
  })

  it('aborts its upload at the service', async () => {
    const closed = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    respond = (request) => {
      request.on('data', () => arrived.resolve())
      request.once('close', () => (request.complete ? undefined : closed.resolve()))
    }
    const { hostname, port } = new URL(fleet.baseUrl)
    const socket = connect(Number(port), hostname)
    socket.write(
      `POST /v1/data/sources HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: 100000\r\n\r\npart of it`,
    )
    await arrived.promise
    socket.destroy()
    await closed.promise
  })
})

describe('a body', () => {
  it('is streamed unchanged, with its framing', async () => {
    const seen: string[] = []
    respond = (request, response) => {
      seen.push(String(request.headers['transfer-encoding'] ?? request.headers['content-length']))
      let bytes = 0
      request.on('data', (chunk) => {
        bytes += chunk.length
      })
      request.on('end', () => respondJson(response, JSON.stringify({ bytes })))
    }
    const chunks = ReadableStream.from(Array.from({ length: 64 }, () => new Uint8Array(65_536)))
    expect((await request('POST', { rawBody: chunks, headers: { 'content-type': 'text/csv' } })).body).toEqual({
      bytes: 64 * 65_536,
    })
    expect((await request('POST', { body: { a: 1 } })).body).toEqual({ bytes: 7 })
    expect(seen).toEqual(['chunked', '7'])
  })

  it('is paused while the service does not read', async () => {
    const { promise: mayRead, resolve: letRead } = Promise.withResolvers<void>()
    respond = (request, response) => {
      request.pause()
      void mayRead.then(() => {
        request.resume()
        request.once('end', () => respondJson(response))
      })
    }
    const { hostname, port } = new URL(fleet.baseUrl)
    const sent = httpRequest({
      hostname,
      port,
      method: 'POST',
      path: '/v1/data/sources',
      headers: { authorization: `Bearer ${token}` },
    })
    const responded = once(sent, 'response')
    const chunk = Buffer.alloc(1_048_576)
    let written = 0
    while (written < 64 && sent.write(chunk)) written += 1
    await eventually(() => sent.writableLength > 0 || written === 64)
    expect(sent.writableNeedDrain).toBe(true)
    letRead()
    sent.end()
    const [response] = await responded
    expect(response.statusCode).toBe(200)
    response.resume()
  })

  it('of a response is forwarded as it arrives', async () => {
    const { promise: more, resolve: sendMore } = Promise.withResolvers<void>()
    respond = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).write('first')
      void more.then(() => response.end(' second'))
    }
    const response = await fetch(`${fleet.baseUrl}/v1/data/sources`, { headers: { authorization: `Bearer ${token}` } })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toBe('first')
    sendMore()
    expect((await reader?.read())?.value).toBe(' second')
  })

  it('is absent for HEAD and 304', async () => {
    respond = (request, response) =>
      request.method === 'HEAD'
        ? response.writeHead(200, { 'content-length': '12' }).end()
        : response.writeHead(304, { etag: '"x"' }).end()
    expect(await request('HEAD')).toMatchObject({ status: 200, body: '' })
    const unchanged = await request('GET', { headers: { 'if-none-match': '"x"' } })
    expect(unchanged).toMatchObject({ status: 304, body: '' })
    expect(unchanged.headers.get('etag')).toBe('"x"')
  })
})

describe('connections', () => {
  it('to a service are reused', async () => {
    const ports = new Set<number | undefined>()
    respond = (request, response) => {
      ports.add(request.socket.remotePort)
      respondJson(response)
    }
    for (let count = 0; count < 10; count += 1) await request()
    expect(ports.size).toBe(1)
  })

  it('that send malformed or oversized requests get a problem response', async () => {
    const { hostname, port } = new URL(fleet.baseUrl)
    const say = async (text: string) => {
      const socket = connect(Number(port), hostname)
      let said = ''
      socket.on('data', (chunk) => {
        said += String(chunk)
      })
      socket.write(text)
      await once(socket, 'close')
      return said
    }
    expect(await say('hello\r\n\r\n')).toMatch(/^HTTP\/1.1 400 [\s\S]*"code":"malformed_request"/)
    expect(await say(`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 431 [\s\S]*"code":"header_fields_too_large"/,
    )
  })
})
