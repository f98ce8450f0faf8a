import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually, findFreePort, startTestFleet, type TestFleet } from '@wp/testkit'
import { openRaw } from '../raw-connection.ts'

type Behaviour = (request: IncomingMessage, response: ServerResponse) => void

/** A service that misbehaves in the place of data. */
let upstream: Server
let behave: Behaviour
let fleet: TestFleet
let token: string
beforeAll(async () => {
  upstream = createServer((request, response) => behave(request, response)).listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  const address = upstream.address()
  const port = typeof address === 'object' ? address?.port : undefined
  fleet = await startTestFleet({
    services: ['auth'],
    env: {
      gateway: {
        UPSTREAM: `http://127.0.0.1:${await findFreePort()}`,
        UPSTREAM_TIMEOUT_SECONDS: '1',
        BODY_WINDOW_SECONDS: '1',
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
  token = await fleet.token(fleet.owner)
})
afterAll(async () => {
  await fleet.stop()
  upstream.closeAllConnections()
  upstream.close()
})

const ask = (method = 'GET', options: Parameters<TestFleet['request']>[2] = {}) =>
  fleet.request(method, '/v1/data/sources', { as: token, ...options })
const answer = (response: ServerResponse, body = '{"ok":true}') =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(body)

describe('a service that fails', () => {
  it('is 503 when it cannot be reached, as a problem with the request id', async () => {
    const refused = await fleet.request('GET', '/v1/solutions/solutions', {
      as: token,
      headers: { 'x-request-id': 'find-me-1' },
    })
    expect(refused).toMatchObject({ status: 503, body: { code: 'service_unavailable', request_id: 'find-me-1' } })
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.headers.get('content-type')).toBe('application/problem+json')
    expect(refused.headers.get('ratelimit')).toMatch(/"workspace";r=/)
  })

  it('is 504 when it does not answer in time', async () => {
    behave = () => undefined
    expect(await ask()).toMatchObject({ status: 504, body: { code: 'gateway_timeout' } })
  })

  it('is not blamed for a client that stops in the middle of its body: that is 408', async () => {
    behave = (request) => void request.resume()
    const stalled = openRaw(fleet.baseUrl)
    await stalled.write(
      `POST /v1/data/sources HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: 100\r\n\r\n{"na`,
    )
    expect(await stalled.until(/"request_timeout"/)).toMatch(/^HTTP\/1\.1 408 Request Timeout/)
    await stalled.untilClosed()
  })

  it('is 502 when it hangs up, or does not speak HTTP', async () => {
    behave = (request) => request.socket.destroy()
    expect(await ask()).toMatchObject({ status: 502, body: { code: 'bad_gateway' } })
    behave = (request) => request.socket.end('hello\r\n\r\n')
    expect(await ask()).toMatchObject({ status: 502, body: { code: 'bad_gateway' } })
  })

  it('in the middle of its answer cuts the answer, so that nobody takes a part for the whole', async () => {
    behave = (_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half')
      setImmediate(() => response.destroy())
    }
    await expect(ask()).rejects.toThrow()
  })

  it('does not take the edge with it', async () => {
    behave = (_request, response) => answer(response)
    expect((await ask()).status).toBe(200)
  })
})

describe('a client that goes', () => {
  it('before the answer ends the work at the service', async () => {
    const gone = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    behave = (_request, response) => {
      arrived.resolve()
      response.once('close', gone.resolve)
    }
    const abort = new AbortController()
    const asked = fetch(`${fleet.baseUrl}/v1/data/sources`, {
      headers: { authorization: `Bearer ${token}` },
      signal: abort.signal,
    })
    asked.catch(() => undefined)
    await arrived.promise
    abort.abort()
    await gone.promise
  })

  it('in the middle of its upload ends it there too', async () => {
    const gone = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    behave = (request) => {
      request.on('data', () => arrived.resolve())
      request.once('close', () => (request.complete ? undefined : gone.resolve()))
    }
    const { hostname, port } = new URL(fleet.baseUrl)
    const socket = connect(Number(port), hostname)
    socket.write(
      `POST /v1/data/sources HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: 100000\r\n\r\npart of it`,
    )
    await arrived.promise
    socket.destroy()
    await gone.promise
  })
})

describe('a body', () => {
  it('passes as it is, streamed, however it is framed', async () => {
    const seen: string[] = []
    behave = (request, response) => {
      seen.push(String(request.headers['transfer-encoding'] ?? request.headers['content-length']))
      let bytes = 0
      request.on('data', (chunk) => {
        bytes += chunk.length
      })
      request.on('end', () => answer(response, JSON.stringify({ bytes })))
    }
    const chunks = ReadableStream.from(Array.from({ length: 64 }, () => new Uint8Array(65_536)))
    expect((await ask('POST', { rawBody: chunks, headers: { 'content-type': 'text/csv' } })).body).toEqual({
      bytes: 64 * 65_536,
    })
    expect((await ask('POST', { body: { a: 1 } })).body).toEqual({ bytes: 7 })
    expect(seen).toEqual(['chunked', '7'])
  })

  it('waits while the service does not read', async () => {
    const { promise: mayRead, resolve: letRead } = Promise.withResolvers<void>()
    behave = (request, response) => {
      request.pause()
      void mayRead.then(() => {
        request.resume()
        request.once('end', () => answer(response))
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
    const answered = once(sent, 'response')
    const chunk = Buffer.alloc(1_048_576)
    let written = 0
    while (written < 64 && sent.write(chunk)) written += 1
    await eventually(() => sent.writableLength > 0 || written === 64)
    expect(sent.writableNeedDrain).toBe(true)
    letRead()
    sent.end()
    const [response] = await answered
    expect(response.statusCode).toBe(200)
    response.resume()
  })

  it('of an answer passes as it comes', async () => {
    const { promise: more, resolve: sendMore } = Promise.withResolvers<void>()
    behave = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).write('first')
      void more.then(() => response.end(' second'))
    }
    const response = await fetch(`${fleet.baseUrl}/v1/data/sources`, { headers: { authorization: `Bearer ${token}` } })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toBe('first')
    sendMore()
    expect((await reader?.read())?.value).toBe(' second')
  })

  it('of HEAD and 304 is none', async () => {
    behave = (request, response) =>
      request.method === 'HEAD'
        ? response.writeHead(200, { 'content-length': '12' }).end()
        : response.writeHead(304, { etag: '"x"' }).end()
    expect(await ask('HEAD')).toMatchObject({ status: 200, body: '' })
    const unchanged = await ask('GET', { headers: { 'if-none-match': '"x"' } })
    expect(unchanged).toMatchObject({ status: 304, body: '' })
    expect(unchanged.headers.get('etag')).toBe('"x"')
  })
})

describe('connections', () => {
  it('to a service are kept', async () => {
    const ports = new Set<number | undefined>()
    behave = (request, response) => {
      ports.add(request.socket.remotePort)
      answer(response)
    }
    for (let count = 0; count < 10; count += 1) await ask()
    expect(ports.size).toBe(1)
  })

  it('that send no HTTP, or too much of it, get an answer of our shape', async () => {
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
