import { readFileSync } from 'node:fs'
import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request } from 'node:https'
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from '@jest/globals'
import {
  eventually,
  failFirst,
  neverRespond,
  type Receiver,
  type ReceiverOptions,
  type Responder,
  redirect,
  resetConnection,
  respond,
  respondRetryAfter,
  sendGzipBomb,
  sendLargeBody,
  sendMalformedResponse,
  sendOversizedHeaders,
  sendSlowBody,
  startReceiver,
  truncateResponse,
} from '../src/index.ts'

let receiver: Receiver
afterEach(() => receiver.close())

describe('a receiver', () => {
  it('records method, path, headers, raw bytes, time and attempt', async () => {
    receiver = await startReceiver()
    const body = Buffer.from([0x7b, 0x00, 0xff, 0x7d])
    const before = Date.now()
    await post({ path: '/in?a=1', body, headers: { 'X-Custom': 'ü', 'x-webhook-request-id': 'dlv_1' } })
    await post({ path: '/in?a=1', body, headers: { 'x-webhook-request-id': 'dlv_2' } })
    await post({ path: '/in?a=1', body, headers: { 'x-webhook-request-id': 'dlv_1' } })
    const [first, second, third] = receiver.received
    expect(first).toMatchObject({
      method: 'POST',
      path: '/in?a=1',
      attempt: 1,
      headers: { 'content-type': 'application/json' },
    })
    expect(first?.body.equals(body)).toBe(true)
    expect(first?.rawHeaders).toContain('X-Custom')
    expect(first?.at).toBeGreaterThanOrEqual(before)
    expect([second?.attempt, third?.attempt]).toEqual([1, 2])
    receiver.clear()
    expect(receiver.received).toEqual([])
  })

  it('lets a test wait for a number of requests or for a certain one', async () => {
    receiver = await startReceiver()
    const two = receiver.waitFor(2)
    const certain = receiver.waitFor(({ path }) => path === '/b')
    await Promise.all([post({ path: '/a' }), post({ path: '/b' })])
    expect(await two).toHaveLength(2)
    expect((await certain).path).toBe('/b')
    await expect(receiver.waitFor(3, { timeoutMs: 5 })).rejects.toThrow(
      /did not get 3 requests within 5 ms; it got POST/,
    )
  })
})

describe('a responder', () => {
  it('can be set for all paths or for one', async () => {
    receiver = await startReceiver()
    receiver.setResponder(respond(410), '/gone')
    expect(await statusOf('/')).toBe(200)
    expect(await statusOf('/gone?x')).toBe(410)
    receiver.setResponder(respond(401))
    expect(await statusOf('/')).toBe(401)
    expect(await statusOf('/gone')).toBe(410)
  })

  it('can respond after a delay', async () => {
    receiver = await startReceiver()
    receiver.setResponder(respond(200, { body: 'late', delayMs: 60 }), '/late')
    const before = performance.now()
    expect((await post({ path: '/late' })).text).toBe('late')
    // Timers may be a little early.
    expect(performance.now() - before).toBeGreaterThan(55)
  })

  it('can redirect to the metadata service of cloud providers', async () => {
    const { status, headers } = await requestWith(redirect())
    expect([status, headers.location]).toEqual([302, 'http://169.254.169.254/latest/meta-data/'])
  })

  it.each([
    [429, 7, '7'],
    [503, new Date('2027-01-02T03:04:05Z'), 'Sat, 02 Jan 2027 03:04:05 GMT'],
  ] as const)('can respond with %i and Retry-After', async (status, retryAfter, header) => {
    const response = await requestWith(respondRetryAfter(status, retryAfter))
    expect([response.status, response.headers['retry-after']]).toEqual([status, header])
  })

  it('can fail twice and then succeed, for each path', async () => {
    receiver = await startReceiver({ responder: failFirst(2) })
    expect([await statusOf('/'), await statusOf('/'), await statusOf('/'), await statusOf('/other')]).toEqual([
      500, 500, 200, 500,
    ])
  })

  it('can send a small gzip body that decompresses to 20 megabytes', async () => {
    const { headers, raw } = await requestWith(sendGzipBomb({ megabytes: 20 }))
    expect(headers['content-encoding']).toBe('gzip')
    expect(raw.length).toBeLessThan(50_000)
    expect(gunzipSync(raw)).toHaveLength(20 * 1024 ** 2)
  })

  it('can send a large body', async () => {
    expect((await requestWith(sendLargeBody({ megabytes: 2 }))).raw).toHaveLength(2 * 1024 ** 2)
  })

  it('can send headers that exceed the limit of a client', async () => {
    expect(await failure(sendOversizedHeaders())).toBe('HPE_HEADER_OVERFLOW')
  })

  it.each([
    ['reset the connection', resetConnection(), /read ECONNRESET/],
    ['reset the connection during the body', resetConnection({ midway: true }), /aborted|read ECONNRESET/],
    ['send less than it announced', truncateResponse(), /aborted/],
    ['send bytes that are not HTTP', sendMalformedResponse(), /Parse Error/],
  ])('can %s', async (_name, behaviour, message) => {
    receiver = await startReceiver({ responder: behaviour })
    await expect(post({})).rejects.toThrow(message)
  })

  it('can leave a request without a response', async () => {
    receiver = await startReceiver({ responder: neverRespond() })
    const posting = codeOf(post({}))
    await receiver.waitFor(1)
    expect(receiver.inFlight).toEqual({ now: 1, peak: 1 })
    await receiver.close()
    expect(await posting).toBe('ECONNRESET')
    await eventually(() => receiver.inFlight.now === 0)
  })

  it('can send an endless body one byte at a time', async () => {
    receiver = await startReceiver({ responder: sendSlowBody({ everyMs: 1 }) })
    const response = await open({})
    let bytes = 0
    for await (const chunk of response) {
      bytes += chunk.length
      if (bytes >= 3) break
    }
    expect(bytes).toBeGreaterThanOrEqual(3)
    expect(response.complete).toBe(false)
  })

  it('responds when held responses are released', async () => {
    receiver = await startReceiver()
    receiver.holdResponses()
    const answers: number[] = []
    const posting = [post({}), post({})].map((answer) => answer.then(({ status }) => answers.push(status)))
    await receiver.waitFor(2)
    expect(answers).toEqual([])
    expect(receiver.inFlight.now).toBe(2)
    receiver.releaseResponses()
    await Promise.all(posting)
    expect(answers).toEqual([200, 200])
    expect(await statusOf('/')).toBe(200)
  })
})

describe('a faulty connection', () => {
  it.each([
    ['self-signed', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['wrong-name', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['expired', 'CERT_HAS_EXPIRED'],
  ] as const)('has an invalid certificate: %s', async (tls, code) => {
    expect(await failure(respond(200), { tls })).toBe(code)
    expect(receiver.received).toEqual([])
    expect(receiver.connections).toBe(1)
  })

  it.each(['close', 'reset', 'stall'] as const)('fails when it is accepted: %s', async (mode) => {
    receiver = await startReceiver()
    receiver.setAcceptMode(mode)
    const posting = codeOf(post(mode === 'stall' ? { timeoutMs: 100 } : {}))
    expect(await posting).toBe(mode === 'stall' ? 'TIMEOUT' : 'ECONNRESET')
    expect(receiver.connections).toBe(1)
    receiver.setAcceptMode('serve')
    expect(await statusOf('/')).toBe(200)
  })

  it('can be plain HTTP', async () => {
    receiver = await startReceiver({ tls: 'none' })
    expect(receiver.url('/x', 'localhost')).toBe(`http://localhost:${receiver.port}/x`)
    expect(await statusOf('/')).toBe(200)
  })
})

type Post = { path?: string; body?: Buffer; headers?: Record<string, string>; timeoutMs?: number }

function open({
  path = '/',
  body = Buffer.from('{}'),
  headers = {},
  timeoutMs = 5_000,
}: Post): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const url = receiver.url(path)
    const options = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, timeout: timeoutMs }
    const ca = readFileSync(receiver.caFile)
    const posting = url.startsWith('https:')
      ? request(url, { ...options, ca, agent: false })
      : plainRequest(url, options)
    posting.once('timeout', () => posting.destroy(Object.assign(new Error('timeout'), { code: 'TIMEOUT' })))
    posting.once('error', reject).once('response', resolve).end(body)
  })
}

async function post(what: Post) {
  const response = await open(what)
  const raw = Buffer.concat(await response.toArray())
  return { status: response.statusCode ?? 0, headers: response.headers, raw, text: raw.toString() }
}

async function statusOf(path: string): Promise<number> {
  return (await post({ path })).status
}

async function requestWith(behaviour: Responder) {
  receiver = await startReceiver({ responder: behaviour })
  return post({})
}

async function failure(behaviour: Responder, options: ReceiverOptions = {}) {
  receiver = await startReceiver({ responder: behaviour, ...options })
  return codeOf(post({}))
}

function codeOf(posting: Promise<unknown>): Promise<string | undefined> {
  return posting.then(
    () => undefined,
    (error: Error & { code?: string }) => error.code,
  )
}
