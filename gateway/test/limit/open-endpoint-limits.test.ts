import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Edge, startTestFleet, type TestResponse } from '@wp/testkit'

const fleet = await startTestFleet({
  services: ['auth', 'system'],
  env: {
    gateway: {
      TRUSTED_PROXIES: '127.0.0.1',
      LIMIT_EXCHANGE_MS: '10',
      OPEN_REQUESTS_PER_MINUTE: '20',
      OPEN_FAILURES_PER_MINUTE: '6',
      METADATA_REQUESTS_PER_MINUTE: '8',
    },
  },
})
afterAll(() => fleet.stop())

interface Options {
  body?: unknown
  as?: string
  edge?: Pick<Edge, 'baseUrl'>
}

const send = (from: string, method: string, path: string, { edge = fleet, ...options }: Options = {}) =>
  fleet.request(method, path, { ...options, edge, headers: { 'x-forwarded-for': from } })

const openPage = (from: string, edge?: Edge) =>
  send(from, 'GET', '/v1/auth/login/link', edge === undefined ? {} : { edge })
const guessCode = (from: string, edge?: Edge) =>
  send(from, 'POST', '/v1/auth/verify', {
    body: { login_id: 'login_01h455vb4pex5vsknk084sn02q', code: '000000' },
    ...(edge === undefined ? {} : { edge }),
  })
const readKeys = (from: string) => send(from, 'GET', '/.well-known/jwks.json')

let networks = 0

/**
 * Returns a new client address whose limits have more than 40 seconds left in their windows. It has sent one request.
 */
async function newClient(request: (from: string) => Promise<TestResponse>): Promise<string> {
  for (;;) {
    networks += 1
    const address = `198.51.${networks >> 8}.${networks & 255}`
    const { headers } = await request(address)
    const seconds = [...(headers.get('ratelimit') ?? '').matchAll(/;t=(\d+)/g)].map(([, text]) => Number(text))
    if (Math.min(...seconds) > 40) return address
  }
}

const statusesOf = async (count: number, request: () => Promise<TestResponse>): Promise<number[]> => {
  const statuses: number[] = []
  for (let sent = 0; sent < count; sent += 1) statuses.push((await request()).status)
  return statuses
}
const times = (count: number, status: number): number[] => Array(count).fill(status)

/** Sends many wrong codes and returns how many the service checked. */
async function countChecked(client: string, edgeOf: (index: number) => Edge | undefined): Promise<number> {
  const statuses: number[] = []
  // an edge may refuse early, while another still transfers its part of the quota
  for (let sent = 0; sent < 40; sent += 1) statuses.push((await guessCode(client, edgeOf(sent))).status)
  expect(statuses.filter((status) => status !== 401 && status !== 429)).toEqual([])
  return statuses.filter((status) => status === 401).length
}

describe('endpoints without credentials', () => {
  it('are limited together per client network', async () => {
    const client = await newClient(openPage)
    expect(await statusesOf(9, () => openPage(client))).toEqual(times(9, 200))
    const revoke = () => send(client, 'POST', '/v1/auth/revoke', { body: { token: 'unknown', client_id: 'console' } })
    expect(await statusesOf(10, revoke)).toEqual(times(10, 200))
    const rejected = await openPage(client)
    expect([rejected.status, rejected.body]).toEqual([429, expect.stringContaining('Too many requests')])
    expect(rejected.headers.get('ratelimit-policy')).toBe('"network";q=20;w=60, "network-failures";q=6;w=60')
    expect(rejected.headers.get('ratelimit')).toMatch(/^"network";r=0;t=\d+, "network-failures";r=6;t=\d+$/)
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0)
    const token = await send(client, 'POST', '/v1/auth/token', { body: {} })
    expect(token).toMatchObject({ status: 429, body: { code: 'rate_limited', error: 'invalid_request' } })
    expect((await openPage('203.0.113.1')).status).toBe(200)
    expect((await readKeys(client)).status).toBe(200)
    const { apiKey } = fleet.owner
    expect((await send(client, 'GET', '/v1/auth/me', { as: apiKey })).status).toBe(200)
  })

  it('are limited per IPv6 network of 64 bits', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 60 }, (_, host) => openPage(`2001:db8:0:1::${(host + 1).toString(16)}`)),
    )
    expect(statuses.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(40) // two windows at most
    expect((await openPage('2001:db8:0:2::1')).status).toBe(200)
  })

  it('name the limits of the edge beside those of the service', async () => {
    const client = await newClient(openPage)
    const { clientId, clientSecret } = fleet.owner
    const body = { client_id: clientId, client_secret: clientSecret }
    const { headers } = await send(client, 'POST', '/v1/auth/token', { body })
    expect(headers.get('ratelimit-policy')).toBe(
      '"network";q=20;w=60, "network-failures";q=6;w=60, "client";q=60;w=60, "failures";q=20;w=60',
    )
  })
})

describe('failures of an endpoint without credentials', () => {
  it('are limited per client network and endpoint', async () => {
    const client = await newClient(guessCode)
    expect(1 + (await countChecked(client, () => undefined))).toBe(6)
    const rejected = await guessCode(client)
    expect(rejected).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(rejected.headers.get('ratelimit')).toMatch(/, "network-failures";r=0;t=\d+$/)
    const accept = await send(client, 'POST', '/v1/auth/invitations/accept', { body: { token: 'wrong' } })
    expect(accept.status).toBe(400)
    expect((await guessCode('203.0.113.2')).status).toBe(401)
  })

  it('do not include successes', async () => {
    const client = await newClient(openPage)
    const { headers } = await openPage(client)
    expect(headers.get('ratelimit')).toMatch(/"network-failures";r=6;/)
  })
})

describe('keys, metadata, health and documentation', () => {
  it('share a quota of their own per client network', async () => {
    const client = await newClient(readKeys)
    const paths = ['/.well-known/oauth-authorization-server', '/v1/system/health', '/docs', '/openapi.json']
    for (const path of paths) expect([path, (await send(client, 'GET', path)).status]).toEqual([path, 200])
    expect(await statusesOf(3, () => readKeys(client))).toEqual(times(3, 200))
    for (const path of [...paths, '/.well-known/jwks.json']) {
      const rejected = await send(client, 'GET', path)
      expect([path, rejected.status, rejected.body.code]).toEqual([path, 429, 'rate_limited'])
      expect(rejected.headers.get('ratelimit-policy')).toBe('"metadata";q=8;w=60')
    }
    expect((await openPage(client)).status).toBe(200)
  })
})

// Last, because the first edge would refuse early, while the other still transfers its part of a quota.
describe('two edges', () => {
  let second: Edge
  beforeAll(async () => {
    second = await fleet.addEdge()
  })

  it('share the quota of requests', async () => {
    const client = await newClient(openPage)
    let admitted = 1
    for (let sent = 0; sent < 60; sent += 1)
      if ((await openPage(client, sent % 5 === 0 ? second : undefined)).status === 200) admitted += 1
    expect(admitted).toBe(20)
  })

  it('count failures together', async () => {
    const client = await newClient(guessCode)
    const checked = 1 + (await countChecked(client, (index) => (index % 3 === 0 ? second : undefined)))
    // A failure is counted after the response, and each edge may transfer its last unit before that.
    expect([6, 7, 8]).toContain(checked)
  })
})
