import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestFleet, type TestFleet } from '@wp/testkit'
import { parseOrigins } from '../../src/browser/cors.ts'
import { malformedRequestResponse } from '../../src/malformed-request.ts'
import { exchangeRaw } from '../raw-connection.ts'

const app = 'https://app.example.com'

/** A server in place of webhook-delivery that sets headers only the edge may set. */
let impostor: Server
let fleet: TestFleet
let token: string
beforeAll(async () => {
  impostor = createServer((request, response) => {
    request.resume()
    response.writeHead(200, {
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': '*',
      'timing-allow-origin': '*',
      server: 'impostor/1.0',
      'x-powered-by': 'impostor',
      'strict-transport-security': 'max-age=0',
      vary: 'Authorization',
    })
    response.end('{}')
  }).listen(0, '127.0.0.1')
  await once(impostor, 'listening')
  const address = impostor.address()
  const port = typeof address === 'object' ? address?.port : undefined
  fleet = await startTestFleet({
    services: ['auth', 'system', 'data'],
    env: { gateway: { UPSTREAM: `http://127.0.0.1:${port}`, CORS_ORIGINS: `${app}, http://localhost:3000` } },
  })
  token = await fleet.token(fleet.owner)
})
afterAll(async () => {
  await fleet.stop()
  impostor.closeAllConnections()
  impostor.close()
})

const preflight = (path: string, origin: string, method = 'POST') =>
  fleet.request('OPTIONS', path, { headers: { origin, 'access-control-request-method': method } })

/** Returns the CORS headers of a response. */
const corsOf = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))

describe('a preflight', () => {
  it('is answered by the edge without a credential', async () => {
    const { status, headers, body } = await preflight('/v1/data/sources', app)
    expect({ status, body }).toEqual({ status: 204, body: '' })
    expect(corsOf(headers)).toMatchObject({
      'access-control-allow-origin': app,
      'access-control-allow-methods': 'GET, POST, HEAD',
      'access-control-allow-headers':
        'authorization, content-type, x-api-key, x-workspace-key, idempotency-key, if-match, if-none-match, x-request-id, traceparent, prefer, last-event-id, mcp-protocol-version, mcp-method, mcp-name',
      'access-control-max-age': '7200',
    })
    expect(headers.get('vary')).toBe('Origin')
    expect(headers.get('x-request-id')).toMatch(/^req-/)
    expect(headers.get('ratelimit')).toBeNull()
  })

  it('lists the methods of paths with parameters and of the documentation', async () => {
    const methods = async (path: string) =>
      (await preflight(path, app)).headers.get('access-control-allow-methods')?.split(', ').toSorted()
    expect(await methods('/v1/data/sources/src_1')).toEqual(['DELETE', 'GET', 'HEAD', 'PATCH'])
    expect(await methods('/v1/auth/token')).toEqual(['POST'])
    expect(await methods('/openapi.json')).toEqual(['GET', 'HEAD'])
  })

  it('of an unknown path gets a 404 that the page may read', async () => {
    const { status, headers, body } = await preflight('/v1/nothing', app)
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'not_found' })
    expect(headers.get('access-control-allow-origin')).toBe(app)
  })

  it.each([
    'https://evil.example',
    'https://app.example.com.evil.example',
    'http://app.example.com',
    'https://app.example.com:444',
    'HTTPS://APP.EXAMPLE.COM',
    'null',
    '*',
  ])('from %s is an unknown method', async (origin) => {
    const { status, headers } = await preflight('/v1/data/sources', origin)
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'GET, POST, HEAD' })
    expect(corsOf(headers)).toEqual({})
    expect(headers.get('vary')).toBe('Origin')
  })

  it('requires the headers of a browser: OPTIONS alone is an unknown method', async () => {
    expect((await fleet.request('OPTIONS', '/v1/data/sources', { headers: { origin: app } })).status).toBe(405)
  })
})

describe('a response to a page of another origin', () => {
  const readable = {
    'access-control-allow-origin': app,
    'access-control-expose-headers':
      'x-request-id, ratelimit, ratelimit-policy, retry-after, location, content-disposition, etag, idempotency-replayed, deprecation, sunset, www-authenticate',
  }

  it.each([
    ['a service', '/v1/data/sources', 200],
    ['a service that sets CORS headers itself', '/v1/webhooks/webhooks', 200],
    ['the edge', '/openapi.json', 200],
    ['the edge, for an error', '/v1/nothing', 404],
  ])('of %s has the CORS headers of the edge', async (_, path, status) => {
    const response = await fleet.request('GET', path, { as: token, headers: { origin: app } })
    expect(response.status).toBe(status)
    expect(corsOf(response.headers)).toEqual(readable)
    expect(response.headers.get('vary')).toMatch(/^Origin\b/)
  })

  it('has them for 401 and 403, too', async () => {
    const without = await fleet.request('GET', '/v1/data/sources', { headers: { origin: app } })
    expect([without.status, corsOf(without.headers)]).toEqual([401, readable])
    const narrow = await fleet.token(fleet.owner, 'webhooks:read')
    const forbidden = await fleet.request('GET', '/v1/data/sources', { as: narrow, headers: { origin: app } })
    expect([forbidden.status, corsOf(forbidden.headers)]).toEqual([403, readable])
  })

  it('has only Vary when the origin is not listed', async () => {
    for (const headers of [{ origin: 'https://evil.example' }, {}])
      for (const path of ['/v1/data/sources', '/v1/webhooks/webhooks', '/v1/nothing', '/docs']) {
        const response = await fleet.request('GET', path, { as: token, headers })
        expect(corsOf(response.headers)).toEqual({})
        expect(response.headers.get('vary')).toMatch(/^Origin\b/)
      }
  })

  it('keeps the Vary values of the service', async () => {
    const { headers } = await fleet.request('GET', '/v1/data/sources', { as: token, headers: { origin: app } })
    expect(headers.get('vary')).toBe('Origin, Authorization, x-api-key, x-workspace-key')
  })
})

describe('a request to MCP', () => {
  const send = (origin?: string) =>
    fleet.request('POST', '/api/v1/mcp/mcp', {
      as: token,
      body: { jsonrpc: '2.0', id: 1, method: 'ping' },
      headers: origin === undefined ? {} : { origin },
    })

  it.each(['https://evil.example', 'https://app.example.com:444', 'null'])(
    'is rejected before its credential is read when it comes from a page of %s',
    async (origin) => {
      expect(await send(origin)).toMatchObject({ status: 403, body: { code: 'origin_forbidden' } })
      const { status } = await fleet.request('POST', '/api/v1/mcp/mcp', { headers: { origin } })
      expect(status).toBe(403)
    },
  )

  it('is served when it comes from a listed page, from a page of the platform, or from no page', async () => {
    for (const origin of [app, fleet.baseUrl, undefined]) expect((await send(origin)).status).toBe(200)
  })

  it('needs no check at the endpoints that any page may try', async () => {
    const { status } = await fleet.request('GET', '/v1/data/sources', { as: token, headers: { origin: 'null' } })
    expect(status).toBe(200)
  })
})

describe('parseOrigins', () => {
  it.each([
    '*',
    'null',
    'app.example.com',
    'https://app.example.com/',
    'https://app.example.com/path',
    'https://*.example.com',
    'https://App.example.com',
    'https://app.example.com:443',
    'http://app.example.com',
    'https://a.example b.example',
    'file:///x',
    'javascript:alert(1)',
  ])('rejects %s', (text) => expect(parseOrigins(`${app},${text}`)).toBeUndefined())

  it('accepts an empty list and surrounding spaces', () => {
    expect(parseOrigins('')?.size).toBe(0)
    expect([...(parseOrigins(' https://a.example ,http://127.0.0.1:3000, ') ?? [])]).toEqual([
      'https://a.example',
      'http://127.0.0.1:3000',
    ])
  })
})

describe('security headers', () => {
  const fetchPage = async (path: string) => {
    const { headers, body } = await fleet.request('GET', path)
    return { headers, body: String(body) }
  }

  const pages = ['/v1/auth/login/link?login_id=login_x&token=x', '/v1/auth/invitations/accept?token=x']
  it.each(pages)('allow a page only its own style: %s', async (path) => {
    const { headers, body } = await fetchPage(path)
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(body) ?? []
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style))
    expect(headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${Buffer.from(digest).toString('base64')}'`,
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ])
    expect(body).not.toMatch(/ style=|<script|<base|<meta http-equiv/i)
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
    })
  })

  it('never disclose the software', async () => {
    for (const path of ['/docs', '/v1/nothing', '/v1/data/sources', '/v1/webhooks/webhooks', '/v1/auth/token']) {
      const { headers } = await fleet.request('GET', path, { as: token })
      for (const name of ['server', 'x-powered-by', 'via', 'timing-allow-origin'])
        expect([path, name, headers.get(name)]).toEqual([path, name, null])
    }
  })

  it('forbid JSON responses to run or be framed', async () => {
    for (const path of ['/v1/nothing', '/v1/data/sources', '/v1/webhooks/webhooks', '/openapi.json']) {
      const { headers } = await fleet.request('GET', path, { as: token })
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
    expect(await exchangeRaw(fleet.baseUrl, 'nonsense\r\n\r\n')).toMatch(/content-security-policy: default-src 'none'/i)
  })

  it('require TLS when the public address does', () => {
    expect(malformedRequestResponse(undefined, 'https://api.example.com')).toMatch(
      /strict-transport-security: max-age=\d{8}/,
    )
    expect(malformedRequestResponse(undefined, 'http://localhost')).not.toMatch(/strict-transport/)
  })
})
