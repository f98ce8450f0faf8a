import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { startTestFleet, type TestFleet } from '@wp/testkit'
import { decodeJwt } from 'jose'
import { openRaw } from '../raw-connection.ts'

const app = 'https://app.example.com'
const policy = "default-src 'none'; script-src 'self'"

/** A request that a service received. */
interface Received {
  method: string | undefined
  url: string | undefined
  headers: IncomingHttpHeaders
  body: string
}

/** A server in place of every service. */
let upstream: Server
let received: Received[] = []
let fleet: TestFleet
beforeAll(async () => {
  upstream = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    // The gateway itself asks for changes of identities from time to time.
    if (request.url?.startsWith('/internal/auth/identity-changes') === true) return response.writeHead(503).end()
    received.push({ method: request.method, url: request.url, headers: request.headers, body })
    response.writeHead(200, {
      'content-type': 'text/html',
      'content-security-policy': policy,
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'access-control-allow-credentials': 'true',
      'set-cookie': ['__Host-console=1; Secure; HttpOnly', 'a=b'],
    })
    response.end(`<p>${request.url}`)
  }).listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  const address = upstream.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : undefined}`
  fleet = await startTestFleet({
    services: ['auth'],
    env: {
      gateway: {
        UPSTREAM: url,
        UPSTREAM_OVERRIDES: '',
        CORS_ORIGINS: app,
        PUBLIC_BASE_URL: 'https://api.example.com',
        PRODUCT_NAME: 'Acme Hub',
      },
    },
  })
})
beforeEach(() => {
  received = []
})
afterAll(async () => {
  await fleet.stop()
  upstream.closeAllConnections()
  upstream.close()
})

/** Sends a request with exactly this target. @returns the status */
async function statusOf(target: string, method = 'GET'): Promise<number> {
  const connection = openRaw(fleet.baseUrl)
  await connection.write(`${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  return Number((await connection.waitForClose()).slice(9, 12))
}

const audienceOf = ({ headers }: Received) => decodeJwt(String(headers['x-workspace-scope'])).aud

describe('a site', () => {
  it('gets its path and every path below it, with the query, signed for the anonymous caller', async () => {
    const targets = ['/console', '/console/', '/console/webhooks/whk_1?tab=a&q=%2F..%2F', '/console/assets/a-1.js']
    for (const target of [...targets, '/console/n%C3%A4me/a:b@c;v=1', 'http://x/console/absolute'])
      expect(await statusOf(target)).toBe(200)
    expect(received.map(({ url }) => url)).toEqual([...targets, '/console/n%C3%A4me/a:b@c;v=1', '/console/absolute'])
    expect(received.map(audienceOf)).toEqual(received.map(() => 'console'))
    expect(decodeJwt(String(received[0]?.headers['x-workspace-scope']))).toMatchObject({
      iss: 'gateway',
      sub: 'anonymous',
      principal_type: 'anonymous',
      workspace_id: null,
      scopes: [],
    })
  })

  it.each([
    '/console/%2e%2e/v1/data/health',
    '/console/%2E./v1/data/health',
    '/console/../v1/data/health',
    '/console/./x',
    '/console/..;/v1/data/health',
    '/console/..;a=b/v1/data/health',
    '/console/%2e%2e;/x',
    '/console/%252e%252e/x',
    '/console/..%2fv1%2fdata%2fhealth',
    '/console/a%2fb',
    '/console/a%5cb',
    '/console/a%255cb',
    '/console/a\\b',
    '/console/a%00b',
    '/console/%',
    '/console/%ff',
    '/console//x',
    '/console//',
    '/console/api/v1/../../x',
    '//console/',
    '//console/api',
    '/x/../console/',
    '/%63onsole/',
    '/Console/',
    '/consolex',
    '/console%2f',
    '/console;/',
    '/v1/../console',
  ])('is not reached, nor is another service, by the target %s', async (target) => {
    expect([400, 404]).toContain(await statusOf(target))
    expect(received).toEqual([])
  })

  it('shows a page when a browser opens an address that no page has', async () => {
    const { status, headers, body } = await fleet.request('GET', '/console/x%3E%00', {
      headers: { accept: 'text/html,*/*' },
    })
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(body).toContain('The page does not exist')
    expect(body).toContain('Acme Hub')
  })

  it('takes GET and HEAD for pages, and more methods for its API', async () => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const isPageMethod = method === 'GET' || method === 'HEAD'
      expect([method, await statusOf('/console/x', method)]).toEqual([method, isPageMethod ? 200 : 405])
      expect([method, await statusOf('/console/api/session', method)]).toEqual([method, 200])
    }
    for (const method of ['OPTIONS', 'TRACE', 'PROPFIND'])
      expect([method, await statusOf('/console/api/session', method)]).toEqual([method, 405])
    const { headers } = await fleet.request('DELETE', '/console/x')
    expect(headers.get('allow')).toBe('GET, HEAD')
  })

  it('gets its own cookies only, no credential, and the workspace for its API only', async () => {
    const headers = {
      cookie: '__Host-console=s; other=1; console=p; __Host-console-sign-in=q; session=2; console-sign-in=r',
      authorization: 'Bearer x.y.z',
      'x-api-key': 'key_a.B.c.d',
      'x-workspace-key': 'ws_1',
      'x-workspace-id': 'ws_evil',
      'x-forwarded-for': '1.2.3.4',
      'x-console': '1',
      'sec-fetch-site': 'same-origin',
    }
    await fleet.request('GET', '/console/api/v1/data/sources', { headers })
    await fleet.request('GET', '/console/', { headers })
    const [api, page] = received.map((request) => request.headers)
    expect(api).toMatchObject({
      cookie: '__Host-console=s; console=p; __Host-console-sign-in=q; console-sign-in=r',
      'x-workspace-key': 'ws_1',
      'x-forwarded-for': '127.0.0.1',
      'x-console': '1',
      'sec-fetch-site': 'same-origin',
      'x-request-id': expect.stringMatching(/^req-/),
      traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/),
    })
    expect(page).toMatchObject({ cookie: api?.cookie })
    expect(page?.['x-workspace-key']).toBeUndefined()
    for (const each of [api, page])
      for (const name of ['authorization', 'x-api-key', 'x-workspace-id']) expect(each?.[name]).toBeUndefined()
  })

  it('has the security headers of the service once, and no CORS for any origin', async () => {
    for (const path of ['/console/', '/console/api/session']) {
      const connection = openRaw(fleet.baseUrl)
      await connection.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nOrigin: ${app}\r\nConnection: close\r\n\r\n`)
      const [head = ''] = (await connection.waitForClose()).toLowerCase().split('\r\n\r\n')
      expect(head.match(/^content-security-policy: .*$/gm)).toEqual([`content-security-policy: ${policy}`])
      expect(head.match(/^x-content-type-options: .*$/gm)).toEqual(['x-content-type-options: nosniff'])
      expect(head.match(/^strict-transport-security: .*$/gm)).toHaveLength(1)
      expect(head.match(/^set-cookie: .*$/gm)).toHaveLength(2)
      expect(head).not.toMatch(/^access-control-/m)
    }
    const preflight = await fleet.request('OPTIONS', '/console/api/session', {
      headers: { origin: app, 'access-control-request-method': 'POST' },
    })
    expect(preflight.status).toBe(405)
    expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
  })

  it('streams bodies to its API', async () => {
    const chunks = [new Uint8Array([97]), new Uint8Array([98])]
    const { status } = await fleet.request('POST', '/console/api/v1/data/x', { rawBody: ReadableStream.from(chunks) })
    expect([status, received[0]?.body]).toEqual([200, 'ab'])
  })
})

describe('other services', () => {
  it('get no cookie of a site, and auth gets its own', async () => {
    const headers = { cookie: 'wp_login=1; __Host-console=s; console=p; __Host-console-sign-in=q; console-sign-in=r' }
    await fleet.request('GET', '/v1/auth/login/link', { headers })
    await fleet.request('GET', '/v1/data/health', { headers })
    expect(received.map((request) => [audienceOf(request), request.headers.cookie])).toEqual([
      ['auth', 'wp_login=1'],
      ['data', undefined],
    ])
  })
})

describe('the limit of sites', () => {
  it('is one for each client network, apart from the limits of endpoints', async () => {
    const edge = await fleet.addEdge({
      TRUSTED_PROXIES: '127.0.0.1',
      SITE_REQUESTS_PER_MINUTE: '10',
      OPEN_REQUESTS_PER_MINUTE: '1000',
    })
    const get = (path: string, from: string) =>
      fleet.request('GET', path, { edge, headers: { 'x-forwarded-for': from } })
    // Also if a minute begins in between, one of the two windows has more than ten of them.
    const statuses = []
    for (let sent = 0; sent < 30; sent += 1)
      statuses.push((await get(sent % 2 === 0 ? '/console/' : '/console/api/session', '203.0.113.1')).status)
    expect(statuses[0]).toBe(200)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    expect((await get('/v1/auth/login/link', '203.0.113.1')).status).toBe(200)
    expect((await get('/console/', '203.0.113.2')).status).toBe(200)
  })
})
