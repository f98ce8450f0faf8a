import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { computeRetryDelayMs } from '../src/retry.ts'
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

describe('another attempt', () => {
  it.each([429, 502, 503, 504])('follows %s, as soon as Retry-After says', async (status) => {
    platform.reply(workspace, retryableError(status), retryableError(status), done)
    expect(await read()).toEqual({ workspace_id: 'ws_1' })
    expect(platform.requests).toHaveLength(3)
  })

  it('follows a connection that was cut, before or within the answer', async () => {
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
    ['Wed, 21 Oct 2026 07:28:00 GMT', 400, 600],
  ])('waits, where Retry-After says %s, between so and so many milliseconds', (said, least, most) => {
    const result = { response: new Response(null, { headers: { 'retry-after': said } }), body: undefined }
    expect([computeRetryDelayMs(1, result, 0), computeRetryDelayMs(1, result, 1)]).toEqual([least, most])
  })

  it('waits twice as long each time where nothing is said', () => {
    const waits = [0, 1, 2, 3].map((attempt) => computeRetryDelayMs(attempt, { error: new Error('cut') }, 0))
    expect(waits).toEqual([200, 400, 800, 1600])
  })

  it.each([400, 401, 403, 404, 409, 412, 422, 500])('does not follow %s', async (status) => {
    platform.reply(workspace, retryableError(status, 'conflict'), done)
    await expect(read()).rejects.toMatchObject({ status })
    expect(platform.requests).toHaveLength(1)
  })

  it('is not made where the platform asks for a long wait; the error says how long', async () => {
    const limited = { status: 429, body: problem(429, 'rate_limited'), headers: { 'retry-after': '3600' } }
    platform.reply(workspace, limited, done)
    await expect(read()).rejects.toMatchObject({ status: 429, code: 'rate_limited', retryAfterSeconds: 3600 })
    expect(platform.requests).toHaveLength(1)
  })

  it('is made as often as was said, two times by default', async () => {
    platform.reply(workspace, retryableError(503))
    await expect(read()).rejects.toMatchObject({ status: 503 })
    expect(platform.requests).toHaveLength(3)
    await expect(read({ maxRetries: 0 })).rejects.toMatchObject({ status: 503 })
    expect(platform.requests).toHaveLength(4)
  })

  it('is not made for a request that cannot be sent at all', async () => {
    const started = performance.now()
    await expect(platform.client().system.getWorkspace({}, { headers: { broken: 'a\nb' } })).rejects.toThrow()
    expect(performance.now() - started).toBeLessThan(150)
    expect(platform.requests).toHaveLength(0)
  })
})

describe('the idempotency key', () => {
  const put = (options = {}) => platform.client().system.putVariable({ body: { name: 'A', value: 'x' } }, options)
  const keys = () => platform.requests.map(({ headers }) => headers['idempotency-key'])

  it('is one for all attempts of a call, and another for the next call', async () => {
    platform.reply(variables, retryableError(503), hangUp, success({ name: 'A' }))
    await put()
    const [first, ...others] = keys()
    expect(first).toMatch(/^[0-9a-f-]{36}$/)
    expect(others).toEqual([first, first])
    await put()
    expect(keys().at(-1)).not.toBe(first)
  })

  it('is yours where you give one', async () => {
    platform.reply(variables, retryableError(503), success({ name: 'A' }))
    await put({ idempotencyKey: 'mine' })
    expect(keys()).toEqual(['mine', 'mine'])
  })
})

describe('a streamed upload', () => {
  it('is never sent again: its rows are gone', async () => {
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
    expect(await upload('1\n')).toMatchObject({ outcome: 'ok' })
    expect(platform.requests.map(({ body }) => body)).toEqual(['1\n', '1\n', '1\n'])
  })
})

describe('giving up', () => {
  const whenAsked = async (controller: AbortController) => {
    while (platform.requests.length === 0) await new Promise((resolve) => setImmediate(resolve))
    controller.abort(new Error('had enough'))
  }

  it('ends a request that is under way', async () => {
    platform.reply(workspace, () => undefined)
    const controller = new AbortController()
    const call = platform.client().system.getWorkspace({}, { signal: controller.signal })
    await Promise.all([expect(call).rejects.toThrow('had enough'), whenAsked(controller)])
    expect(platform.requests).toHaveLength(1)
  })

  it('ends the wait before another attempt at once', async () => {
    platform.reply(workspace, { ...retryableError(503), headers: { 'retry-after': '30' } })
    const controller = new AbortController()
    const call = platform.client().system.getWorkspace({}, { signal: controller.signal })
    const started = performance.now()
    await Promise.all([expect(call).rejects.toThrow('had enough'), whenAsked(controller)])
    expect(performance.now() - started).toBeLessThan(5000)
    expect(platform.requests).toHaveLength(1)
  })

  it('beforehand sends nothing', async () => {
    const signal = AbortSignal.abort(new Error('never mind'))
    await expect(platform.client().system.getWorkspace({}, { signal })).rejects.toThrow('never mind')
    expect(platform.requests).toHaveLength(0)
  })

  it('after the time limit of an attempt is not followed by another', async () => {
    platform.reply(workspace, () => undefined)
    await expect(read({ timeoutMs: 1000 })).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(platform.requests).toHaveLength(1)
  })
})
