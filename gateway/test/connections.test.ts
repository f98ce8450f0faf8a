import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { eventually, startTestFleet, type TestFleet } from '@wp/testkit'
import { exchangeRaw, openRaw } from './raw-connection.ts'

type Responder = (request: IncomingMessage, response: ServerResponse) => void

/** A server in place of webhook-delivery; the other services are real. */
let echo: Server
let connectionsToEcho = 0
let respond: Responder
let fleet: TestFleet
let token: string
beforeAll(async () => {
  echo = createServer((request, response) => respond(request, response)).listen(0, '127.0.0.1')
  echo.on('connection', () => {
    connectionsToEcho += 1
  })
  await once(echo, 'listening')
  const address = echo.address()
  const port = typeof address === 'object' ? address?.port : undefined
  fleet = await startTestFleet({
    services: ['auth', 'system', 'data'],
    env: { gateway: { UPSTREAM: `http://127.0.0.1:${port}` } },
  })
  token = await fleet.token(fleet.owner)
})
afterAll(async () => {
  await fleet.stop()
  echo.closeAllConnections()
  echo.close()
})

const echoRequest: Responder = (request, response) => {
  request.resume()
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ headers: request.headers, url: request.url }))
}
beforeEach(() => {
  respond = echoRequest
})

const send = (text: string) => exchangeRaw(fleet.baseUrl, text)
const authorized = () => `Host: x\r\nAuthorization: Bearer ${token}\r\n`
const toEcho = (more = '') => `GET /v1/webhooks/webhooks HTTP/1.1\r\n${authorized()}${more}\r\n`
const health = 'GET /v1/system/health HTTP/1.1\r\nHost: x\r\n'
const bodyOf = (responseText: string) =>
  JSON.parse(responseText.slice(responseText.indexOf('{'), responseText.lastIndexOf('}') + 1))

describe('a client connection', () => {
  it('is closed after the response when the client asks for it, also after a response of a service', async () => {
    expect(await send(toEcho('Connection: close\r\n'))).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close/i)
    expect(await send(`GET /v1/nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 404 /)
    expect(await send(toEcho().replace('HTTP/1.1', 'HTTP/1.0'))).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('stays usable after an error, with responses in order', async () => {
    const connection = openRaw(fleet.baseUrl)
    await connection.write(`GET /v1/nothing HTTP/1.1\r\nHost: x\r\n\r\n${health}\r\n${toEcho()}`)
    await connection.waitFor(/HTTP\/1\.1 404 [\s\S]*HTTP\/1\.1 200 [\s\S]*"services"[\s\S]*HTTP\/1\.1 200 [\s\S]*"url"/)
    connection.socket.destroy()
  })

  it('is closed without a response when garbage follows a pending request', async () => {
    respond = () => undefined
    const connection = openRaw(fleet.baseUrl)
    await connection.write(`${toEcho()}GARBAGE\r\n\r\n`)
    expect(await connection.waitForClose()).toBe('')
  })

  it('is closed some time after the response when the request never ends', async () => {
    respond = (_request, response) => void response.writeHead(200, { 'content-length': 2 }).end('ok')
    const connection = openRaw(fleet.baseUrl)
    const head = `POST /v1/webhooks/webhooks HTTP/1.1\r\n${authorized()}Content-Length: 1000000\r\n\r\n`
    await connection.write(`${head}and so on`)
    await connection.waitFor(/^HTTP\/1\.1 200 [\s\S]*ok$/)
    await connection.waitForClose()
  })
})

describe('a malformed request', () => {
  const expectMalformed = (responseText: string) => {
    expect(responseText).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(responseText).toMatch(/\r\nx-request-id: req-[\w-]+\r\n/i)
    expect(responseText).toMatch(/\r\ncache-control: no-store\r\n/i)
    expect(responseText).toMatch(/\r\nx-content-type-options: nosniff\r\n/i)
    const body = bodyOf(responseText)
    expect(body).toMatchObject({ success: false, code: 'malformed_request', status: 400 })
    expect(responseText).toContain(`x-request-id: ${body.request_id}`)
  }

  it.each([
    ['no request at all', () => 'hello\r\n\r\n'],
    ['no host', () => `GET /v1/system/health HTTP/1.1\r\nConnection: close\r\n\r\n`],
    ['two hosts', () => `GET /v1/system/health HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n`],
    ['two lengths', () => `POST /v1/auth/token HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n{`],
    [
      'a length and chunks',
      () =>
        `POST /v1/auth/token HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'another transfer coding',
      () =>
        `POST /v1/webhooks/webhooks HTTP/1.1\r\n${authorized()}Connection: close\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'a repeated transfer coding',
      () =>
        `POST /v1/webhooks/webhooks HTTP/1.1\r\n${authorized()}Connection: close\r\nTransfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'a broken chunk',
      () => `POST /v1/webhooks/webhooks HTTP/1.1\r\n${authorized()}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    ],
  ])('gets a 400 problem: %s', async (_, text) => {
    respond = (request) => void request.resume()
    expectMalformed(await send(text()))
  })

  it('is not one with an absolute target', async () => {
    const responseText = await send(
      `GET http://x${'/v1/system/health'} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    )
    expect(responseText).toMatch(/^HTTP\/1\.1 200 [\s\S]*"services"/)
    const forwarded = await send(toEcho('Connection: close\r\n').replace('/v1/webhooks', 'http://x:1/v1/webhooks'))
    expect(bodyOf(forwarded).url).toBe('/v1/webhooks/webhooks')
  })

  it('is not forwarded with the Host of the client', async () => {
    const responseText = await send(toEcho('Connection: close\r\n').replace('Host: x', 'Host: admin.internal'))
    expect(bodyOf(responseText).headers.host).toMatch(/^127\.0\.0\.1:\d+$/)
  })
})

describe('a client that expects 100-continue', () => {
  const head = (more: string, expected: string) =>
    `POST /v1/webhooks/webhooks HTTP/1.1\r\n${more}Connection: close\r\nExpect: ${expected}\r\nContent-Length: 2\r\n\r\n`

  it('gets it after authorization, and no 100 before an error', async () => {
    const connection = openRaw(fleet.baseUrl)
    await connection.write(head(authorized(), '100-continue'))
    await connection.waitFor(/^HTTP\/1\.1 100 Continue\r\n\r\n$/)
    await connection.write('{}')
    expect(await connection.waitForClose()).toMatch(/HTTP\/1\.1 200 /)
    const rejected = openRaw(fleet.baseUrl)
    await rejected.write(head('Host: x\r\n', '100-continue'))
    expect(await rejected.waitFor(/"missing_credential"/)).toMatch(/^HTTP\/1\.1 401 /)
    rejected.socket.destroy()
  })

  it('is served when it expects something else', async () => {
    expect(await send(`${head(authorized(), 'tea')}{}`)).toMatch(/^HTTP\/1\.1 200 /)
  })
})

describe('a body that is too large', () => {
  it('is rejected by the service, and the client receives the response', async () => {
    const rawBody = new Uint8Array(32 * 1_048_576).fill(32)
    const options = { as: token, rawBody, headers: { 'content-type': 'application/json' } }
    const responseText = await fleet.request('POST', '/v1/data/sources', options)
    expect(responseText).toMatchObject({ status: 413, body: { code: 'payload_too_large' } })
  })
})

describe('a request with large headers', () => {
  it('stays within the limit of services with the headers the edge adds', async () => {
    const responseText = await fleet.request('GET', '/v1/data/sources', {
      as: token,
      headers: { 'x-long': 'x'.repeat(14_500) },
    })
    expect(responseText.status).toBe(200)
  })
})

describe('a client that disconnects during authorization', () => {
  it('causes no connection to a service', async () => {
    const { apiKey } = await fleet.seed('hasty')
    const before = connectionsToEcho
    const connection = openRaw(fleet.baseUrl)
    await connection.write(`GET /v1/webhooks/webhooks HTTP/1.1\r\nHost: x\r\nx-api-key: ${apiKey}\r\n\r\n`)
    connection.socket.destroy()
    for (let count = 0; count < 3; count += 1)
      expect((await fleet.request('GET', '/v1/webhooks/webhooks', { as: apiKey })).status).toBe(200)
    expect(connectionsToEcho - before).toBeLessThanOrEqual(1)
  })
})

describe('the documentation', () => {
  it('has a request id and forbids content sniffing', async () => {
    for (const path of ['/docs', '/openapi.json', '/docs/errors/not_found', '/docs/errors/none']) {
      const { headers } = await fleet.request('GET', path, { headers: { 'x-request-id': 'mine.1234' } })
      expect(headers.get('x-request-id')).toBe('mine.1234')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  it('responds with 405 and Allow to other methods', async () => {
    for (const path of ['/docs', '/openapi.json', '/docs/errors/not_found']) {
      const responseText = await fleet.request('POST', path, { body: {} })
      expect(responseText).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } })
      expect(responseText.headers.get('allow')).toBe('GET, HEAD')
      expect((await fleet.request('HEAD', path)).status).toBe(200)
    }
  })

  it.each(['/docs/errors/%zz', '/v1/data/sources/%zz', '/v1/data/sources/%c0%af', '/v1/data/sources/.%2e'])(
    'does not contain %s',
    async (path) => {
      const responseText = await send(`GET ${path} HTTP/1.1\r\n${authorized()}Connection: close\r\n\r\n`)
      expect(responseText).toMatch(/^HTTP\/1\.1 404 [\s\S]*"code":"not_found"/)
      // refused before the credential is used
      expect(responseText).not.toContain('"credential"')
    },
  )
})

describe('the token endpoint', () => {
  const post = (more = '') =>
    send(
      `POST /v1/auth/token HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${more}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
    )

  it('rejects two credentials', async () => {
    const twice = 'Authorization: Basic YTpi\r\nAuthorization: Basic YTpj\r\n'
    const responseText = await post(twice)
    expect(responseText).toMatch(/^HTTP\/1\.1 400 /)
    expect(bodyOf(responseText)).toMatchObject({ code: 'ambiguous_credentials', error: 'invalid_request' })
  })

  it('responds with OAuth errors, also for errors of the edge', async () => {
    const method = await send('GET /v1/auth/token HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(method).toMatch(/^HTTP\/1\.1 405 [\s\S]*content-type: application\/json/)
    expect(bodyOf(method)).toMatchObject({ code: 'method_not_allowed', error: 'invalid_request' })
    await fleet.member('auth').stop()
    const unavailable = await post()
    expect(unavailable).toMatch(/^HTTP\/1\.1 503 [\s\S]*content-type: application\/json/)
    expect(bodyOf(unavailable)).toMatchObject({ code: 'service_unavailable', error: 'server_error' })
  })
})

describe('an edge that stops', () => {
  it('completes requests in flight and closes their connections', async () => {
    const { promise: mayRespond, resolve: letRespond } = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    respond = (request, response) => {
      arrived.resolve()
      void mayRespond.then(() => echoRequest(request, response))
    }
    const connection = openRaw(fleet.baseUrl)
    await connection.write(toEcho())
    await arrived.promise
    const stopped = fleet.member('gateway').stop()
    await eventually(() =>
      fetch(fleet.baseUrl).then(
        () => false,
        () => true,
      ),
    )
    letRespond()
    expect(await connection.waitForClose()).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\nconnection: close\r\n[\s\S]*"url"/i)
    await stopped
  })
})
