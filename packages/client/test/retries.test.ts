import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createNetworkError, NetworkError, readRetryAfterSeconds } from '../src/transport/errors.ts'
import { computeRetryDelayMs, isRetryable } from '../src/transport/retry.ts'
import { type FakePlatform, problem, retryableError, startFakePlatform, success } from './fixture/fake-platform.ts'

const workspace = '/v1/system/workspace'
const variables = '/v1/system/workspace/variables'
const records = '/v1/data/sources/src_1/records'

let platform: FakePlatform
beforeEach(async () => {
  platform = await startFakePlatform()
})
afterEach(() => platform.stop())

const done = success({ workspace_id: 'ws_1' })
const hangUp = (response: { destroy(): unknown }) => void response.destroy()
const read = (options = {}) => platform.client(options).system.getWorkspace()

describe('a retry', () => {
  it.each([408, 429, 500, 502, 503, 504])('is made after %s when Retry-After has passed', async (status) => {
    platform.reply(workspace, retryableError(status), retryableError(status), done)
    expect(await read()).toEqual({ workspace_id: 'ws_1' })
    expect(platform.requests).toHaveLength(3)
  })

  it('is made when the connection was cut before or during the response', async () => {
    platform.reply(
      workspace,
      hangUp,
      (response) => {
        response.writeHead(200, { 'content-length': 100 }).write('{"succ')
        setImmediate(() => response.destroy())
      },
      done,
    )
    expect(await read()).toEqual({ workspace_id: 'ws_1' })
    expect(platform.requests).toHaveLength(3)
  })

  it.each([
    ['7', 7000, 10_500],
    ['0', 0, 0],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 0, 0],
    ['soon', 400, 600],
    ['in 2 hours', 400, 600],
  ])('with Retry-After %s waits %i to %i ms', (value, min, max) => {
    const result = { response: new Response(null, { headers: { 'retry-after': value } }), body: undefined }
    expect([computeRetryDelayMs(1, result, 0), computeRetryDelayMs(1, result, 1)]).toEqual([min, max])
  })

  it('waits until the date of Retry-After', () => {
    const response = new Response(null, { headers: { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' } })
    expect(readRetryAfterSeconds(response, Date.parse('2026-10-21T07:27:18Z'))).toBe(42)
  })

  it('is made after 409 when the first request with the idempotency key is in progress', async () => {
    platform.reply(workspace, retryableError(409, 'idempotency_in_flight'), done)
    expect(await read()).toEqual({ workspace_id: 'ws_1' })
    expect(platform.requests).toHaveLength(2)
  })

  it('waits twice as long each time without Retry-After', () => {
    const waits = [0, 1, 2, 3].map((attempt) => computeRetryDelayMs(attempt, { error: new Error('cut') }, 0))
    expect(waits).toEqual([200, 400, 800, 1600])
  })

  it.each([400, 401, 403, 404, 409, 412, 422])('is not made after %s', async (status) => {
    platform.reply(workspace, retryableError(status, 'conflict'), done)
    await expect(read()).rejects.toMatchObject({ status })
    expect(platform.requests).toHaveLength(1)
  })

  it('is not made when Retry-After is long; the error contains it', async () => {
    const limited = { status: 429, body: problem(429, 'rate_limited'), headers: { 'retry-after': '3600' } }
    platform.reply(workspace, limited, done)
    await expect(read()).rejects.toMatchObject({ status: 429, code: 'rate_limited', retryAfterSeconds: 3600 })
    expect(platform.requests).toHaveLength(1)
  })

  it('is made at most maxRetries times, twice by default', async () => {
    platform.reply(workspace, retryableError(503))
    await expect(read()).rejects.toMatchObject({ status: 503 })
    expect(platform.requests).toHaveLength(3)
    await expect(read({ maxRetries: 0 })).rejects.toMatchObject({ status: 503 })
    expect(platform.requests).toHaveLength(4)
  })

  it('is not made after the time limit of an attempt', async () => {
    platform.reply(workspace, () => undefined)
    await expect(read({ timeoutMs: 1000 })).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(platform.requests.length).toBeLessThanOrEqual(1)
  })

  it('is not made when the request is invalid', async () => {
    const headers = { broken: 'a\nb' }
    await expect(platform.client().system.getWorkspace({}, { headers })).rejects.toThrow()
    expect(platform.requests).toHaveLength(0)
  })

  it.each([
    ['a failed connection', true, new NetworkError('fetch failed')],
    ['a time limit', false, new DOMException('too late', 'TimeoutError')],
    ['an abort', false, new DOMException('stopped', 'AbortError')],
  ])('after %s: %s', (_, expected, error) => {
    expect(isRetryable({ error })).toBe(expected)
  })

  it.each([
    ['Node.js', new TypeError('fetch failed', { cause: new Error('read ECONNRESET') }), 'read ECONNRESET'],
    ['a browser', new TypeError('Failed to fetch'), 'Failed to fetch'],
    ['Bun', Object.assign(new Error('closed'), { code: 'ConnectionClosed' }), 'closed'],
  ])('error of %s names the platform and the reason', (_, error, reason) => {
    expect(createNetworkError(new URL('https://api.example.com/v1/x'), error)).toMatchObject({
      name: 'NetworkError',
      message: `no complete response from https://api.example.com: ${reason}`,
    })
  })
})

describe('the idempotency key', () => {
  const put = (options = {}) => platform.client().system.putVariable({ body: { name: 'A', value: 'x' } }, options)
  const keys = () => platform.requests.map(({ headers }) => headers['idempotency-key'])

  it('is the same for all attempts of a call, and differs between calls', async () => {
    platform.reply(variables, retryableError(503), hangUp, success({ name: 'A' }))
    await put()
    const [first, ...others] = keys()
    expect(first).toMatch(/^[0-9a-f-]{36}$/)
    expect(others).toEqual([first, first])
    await put()
    expect(keys().at(-1)).not.toBe(first)
  })

  it('is the one given by the caller', async () => {
    platform.reply(variables, retryableError(503), success({ name: 'A' }))
    await put({ idempotencyKey: 'mine' })
    expect(keys()).toEqual(['mine', 'mine'])
  })
})

describe('a streamed upload', () => {
  it('is not sent again, because the stream is consumed', async () => {
    async function* rows() {
      yield new TextEncoder().encode('1\n')
    }
    platform.reply(records, retryableError(503), done)
    const upload = (content: string | AsyncIterable<Uint8Array>) =>
      platform.client().data.uploadRecords({
        params: { data_source_id: 'src_1' },
        body: { contentType: 'text/csv', content },
      })
    await expect(upload(rows())).rejects.toMatchObject({ status: 503 })
    expect(platform.requests).toHaveLength(1)
    platform.reply(records, retryableError(503), success({ record_count: 1 }))
    expect(await upload('1\n')).toMatchObject({ status: 'ok' })
    expect(platform.requests.map(({ body }) => body)).toEqual(['1\n', '1\n', '1\n'])
  })
})

describe('an aborted signal', () => {
  const abortOnRequest = async (controller: AbortController) => {
    while (platform.requests.length === 0) await new Promise((resolve) => setImmediate(resolve))
    controller.abort(new Error('had enough'))
  }

  it('ends a request in flight', async () => {
    platform.reply(workspace, () => undefined)
    const controller = new AbortController()
    const call = platform.client().system.getWorkspace({}, { signal: controller.signal })
    await Promise.all([expect(call).rejects.toThrow('had enough'), abortOnRequest(controller)])
    expect(platform.requests).toHaveLength(1)
  })

  it('ends the pause before a retry at once', async () => {
    platform.reply(workspace, { ...retryableError(503), headers: { 'retry-after': '60' } })
    const controller = new AbortController()
    const call = platform.client().system.getWorkspace({}, { signal: controller.signal })
    // The pause of 60 s is longer than the time limit of the test.
    await Promise.all([expect(call).rejects.toThrow('had enough'), abortOnRequest(controller)])
    expect(platform.requests).toHaveLength(1)
  })

  it('prevents the request when it was aborted before', async () => {
    const signal = AbortSignal.abort(new Error('never mind'))
    await expect(platform.client().system.getWorkspace({}, { signal })).rejects.toThrow('never mind')
    expect(platform.requests).toHaveLength(0)
  })
})
