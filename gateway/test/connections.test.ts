import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { eventually, startTestFleet, type TestFleet } from '@wp/testkit'
import { exchangeRaw, openRaw } from './raw-connection.ts'

type Behaviour = (request: IncomingMessage, response: ServerResponse) => void

/** Stands in the place of webhooks; the other services are real. */
let echo: Server
let connectionsToEcho = 0
let behave: Behaviour
let fleet: TestFleet
let token: string
beforeAll(async () => {
  echo = createServer((request, response) => behave(request, response)).listen(0, '127.0.0.1')
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

const showRequest: Behaviour = (request, response) => {
  request.resume()
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ headers: request.headers, url: request.url }))
}
beforeEach(() => {
  behave = showRequest
})

const say = (text: string) => exchangeRaw(fleet.baseUrl, text)
const authorized = () => `Host: x\r\nAuthorization: Bearer ${token}\r\n`
const toEcho = (more = '') => `GET /v1/webhooks/webhooks HTTP/1.1\r\n${authorized()}${more}\r\n`
const health = 'GET /v1/system/health HTTP/1.1\r\nHost: x\r\n'
const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1))

describe('a connection', () => {
  it('ends with the answer when the client asks for it, also where a service gave the answer', async () => {
    expect(await say(toEcho('Connection: close\r\n'))).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close/i)
    expect(await say(`GET /v1/nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 404 /)
    expect(await say(toEcho().replace('HTTP/1.1', 'HTTP/1.0'))).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('goes on after a refusal, in order', async () => {
    const connection = openRaw(fleet.baseUrl)
    await connection.write(`GET /v1/nothing HTTP/1.1\r\nHost: x\r\n\r\n${health}\r\n${toEcho()}`)
    await connection.until(/HTTP\/1\.1 404 [\s\S]*HTTP\/1\.1 200 [\s\S]*"services"[\s\S]*HTTP\/1\.1 200 [\s\S]*"url"/)
    connection.socket.destroy()
  })

  it('is for HTTP: garbage behind a request is not answered in its place', async () => {
    behave = () => undefined
    const connection = openRaw(fleet.baseUrl)
    await connection.write(`${toEcho()}GARBAGE\r\n\r\n`)
    expect(await connection.untilClosed()).toBe('')
  })

  it('ends some time after an answer whose request never does', async () => {
    behave = (_request, response) => void response.writeHead(200, { 'content-length': 2 }).end('ok')
    const connection = openRaw(fleet.baseUrl)
    const head = `POST /v1/webhooks/webhooks HTTP/1.1\r\n${authorized()}Content-Length: 1000000\r\n\r\n`
    await connection.write(`${head}and so on`)
    await connection.until(/^HTTP\/1\.1 200 [\s\S]*ok$/)
    await connection.untilClosed()
  })
})

describe('a request that is hardly HTTP', () => {
  const malformed = (answer: string) => {
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(answer).toMatch(/\r\nx-request-id: req-[\w-]+\r\n/i)
    expect(answer).toMatch(/\r\ncache-control: no-store\r\n/i)
    expect(answer).toMatch(/\r\nx-content-type-options: nosniff\r\n/i)
    const body = bodyOf(answer)
    expect(body).toMatchObject({ success: false, code: 'malformed_request', status: 400 })
    expect(answer).toContain(`x-request-id: ${body.request_id}`)
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
      'a coding besides chunks',
      () =>
        `POST /v1/webhooks/webhooks HTTP/1.1\r\n${authorized()}Connection: close\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'a coding in two lines',
      () =>
        `POST /v1/webhooks/webhooks HTTP/1.1\r\n${authorized()}Connection: close\r\nTransfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'a broken chunk',
      () => `POST /v1/webhooks/webhooks HTTP/1.1\r\n${authorized()}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    ],
  ])('is 400, in our shape: %s', async (_, text) => {
    behave = (request) => void request.resume()
    malformed(await say(text()))
  })

  it('is taken where it is only unusual: the whole address as its target', async () => {
    const answer = await say(`GET http://x${'/v1/system/health'} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*"services"/)
    const forwarded = await say(toEcho('Connection: close\r\n').replace('/v1/webhooks', 'http://x:1/v1/webhooks'))
    expect(bodyOf(forwarded).url).toBe('/v1/webhooks/webhooks')
  })

  it('names no host to a service but the service', async () => {
    const answer = await say(toEcho('Connection: close\r\n').replace('Host: x', 'Host: admin.internal'))
    expect(bodyOf(answer).headers.host).toMatch(/^127\.0\.0\.1:\d+$/)
  })
})

describe('a client that waits to be told to send its body', () => {
  const head = (more: string, expected: string) =>
    `POST /v1/webhooks/webhooks HTTP/1.1\r\n${more}Connection: close\r\nExpect: ${expected}\r\nContent-Length: 2\r\n\r\n`

  it('is told when it may, and is not before it is refused', async () => {
    const connection = openRaw(fleet.baseUrl)
    await connection.write(head(authorized(), '100-continue'))
    await connection.until(/^HTTP\/1\.1 100 Continue\r\n\r\n$/)
    await connection.write('{}')
    expect(await connection.untilClosed()).toMatch(/HTTP\/1\.1 200 /)
    const refused = openRaw(fleet.baseUrl)
    await refused.write(head('Host: x\r\n', '100-continue'))
    expect(await refused.until(/"missing_credential"/)).toMatch(/^HTTP\/1\.1 401 /)
    refused.socket.destroy()
  })

  it('may expect anything else: nobody has to understand it', async () => {
    expect(await say(`${head(authorized(), 'tea')}{}`)).toMatch(/^HTTP\/1\.1 200 /)
  })
})

describe('a body that is too large', () => {
  it('is refused by the service, and the refusal arrives', async () => {
    const rawBody = new Uint8Array(32 * 1_048_576).fill(32)
    const options = { as: token, rawBody, headers: { 'content-type': 'application/json' } }
    const answer = await fleet.request('POST', '/v1/data/sources', options)
    expect(answer).toMatchObject({ status: 413, body: { code: 'payload_too_large' } })
  })
})

describe('a long request', () => {
  it('is not made too long by what the edge adds', async () => {
    const answer = await fleet.request('GET', '/v1/data/sources', {
      as: token,
      headers: { 'x-long': 'x'.repeat(15_000) },
    })
    expect(answer.status).toBe(200)
  })
})

describe('a client that is gone when it is known', () => {
  it('opens no connection to a service', async () => {
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

describe('what the edge itself answers', () => {
  it('carries a request id and is not to be guessed at', async () => {
    for (const path of ['/docs', '/openapi.json', '/docs/errors/not_found', '/docs/errors/none']) {
      const { headers } = await fleet.request('GET', path, { headers: { 'x-request-id': 'mine.1234' } })
      expect(headers.get('x-request-id')).toBe('mine.1234')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  it('knows its methods', async () => {
    for (const path of ['/docs', '/openapi.json', '/docs/errors/not_found']) {
      const answer = await fleet.request('POST', path, { body: {} })
      expect(answer).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } })
      expect(answer.headers.get('allow')).toBe('GET, HEAD')
      expect((await fleet.request('HEAD', path)).status).toBe(200)
    }
  })

  it.each(['/docs/errors/%zz', '/v1/data/sources/%zz', '/v1/data/sources/%c0%af', '/v1/data/sources/.%2e'])(
    'is that there is nothing at %s',
    async (path) => {
      const answer = await say(`GET ${path} HTTP/1.1\r\n${authorized()}Connection: close\r\n\r\n`)
      expect(answer).toMatch(/^HTTP\/1\.1 404 [\s\S]*"code":"not_found"/)
      expect(answer).not.toMatch(/ratelimit/i)
    },
  )
})

describe('the token endpoint', () => {
  const post = (more = '') =>
    say(
      `POST /v1/auth/token HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${more}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
    )

  it('refuses two credentials rather than choosing one', async () => {
    const twice = 'Authorization: Basic YTpi\r\nAuthorization: Basic YTpj\r\n'
    const answer = await post(twice)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(bodyOf(answer)).toMatchObject({ code: 'ambiguous_credentials', error: 'invalid_request' })
  })

  it('speaks OAuth whoever refuses', async () => {
    const method = await say('GET /v1/auth/token HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(method).toMatch(/^HTTP\/1\.1 405 [\s\S]*content-type: application\/json/)
    expect(bodyOf(method)).toMatchObject({ code: 'method_not_allowed', error: 'invalid_request' })
    await fleet.member('auth').stop()
    const away = await post()
    expect(away).toMatch(/^HTTP\/1\.1 503 [\s\S]*content-type: application\/json/)
    expect(bodyOf(away)).toMatchObject({ code: 'service_unavailable', error: 'server_error' })
  })
})

describe('an edge that stops', () => {
  it('lets what is under way end, and says that the connection does', async () => {
    const { promise: mayAnswer, resolve: letAnswer } = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    behave = (request, response) => {
      arrived.resolve()
      void mayAnswer.then(() => showRequest(request, response))
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
    letAnswer()
    expect(await connection.untilClosed()).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\nconnection: close\r\n[\s\S]*"url"/i)
    await stopped
  })
})
