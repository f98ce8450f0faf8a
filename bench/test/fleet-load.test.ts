import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { createRandom } from '@wp/lab/random'
import { mix } from '../src/fleet/mix.ts'
import { createSchedule } from '../src/fleet/run-load.ts'
import { findSaturation } from '../src/fleet/saturation.ts'
import { type Clock, notSent, sendOnSchedule, summarize } from '../src/harness/open-loop.ts'

const operation = { name: 'read', share: 1 }

/** A clock that moves when it is told to, or when the generator waits. */
function createClock(): Clock & { advance(ms: number): void } {
  let now = 1_000
  return {
    now: () => now,
    advance: (ms) => {
      now += ms
    },
    waitUntil: async (timeMs) => {
      now = Math.max(now, timeMs)
    },
  }
}

describe('createSchedule', () => {
  const create = (seed: number) =>
    createSchedule({
      rate: 200,
      seconds: 50,
      mix: [operation, { name: 'write', share: 3 }],
      random: createRandom(seed),
    })

  it('plans the number of arrivals of its rate, in order and within the duration', () => {
    const times = create(1).map(({ afterMs }) => afterMs)
    expect(times).toHaveLength(10_000)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(Math.min(...times)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...times)).toBeLessThan(50_000)
  })

  it('spreads the arrivals as independent clients do', () => {
    const counts = new Map<number, number>()
    for (const { afterMs } of create(1))
      counts.set(Math.floor(afterMs / 100), (counts.get(Math.floor(afterMs / 100)) ?? 0) + 1)
    const perInterval = Array.from({ length: 500 }, (_, index) => counts.get(index) ?? 0)
    const mean = 20
    const variance = perInterval.reduce((sum, count) => sum + (count - mean) ** 2, 0) / perInterval.length
    // In a Poisson process the variance equals the mean; evenly spaced arrivals have none.
    expect(variance / mean).toBeGreaterThan(0.8)
    expect(variance / mean).toBeLessThan(1.2)
  })

  it('draws operations by their shares', () => {
    const writes = create(1).filter(({ operation: { name } }) => name === 'write').length
    expect(writes / 10_000).toBeCloseTo(0.75, 1)
  })

  it('is the same for the same seed, and another for another', () => {
    expect(create(7)).toEqual(create(7))
    expect(create(7)).not.toEqual(create(8))
  })
})

describe('sendOnSchedule', () => {
  const at = (afterMs: number) => ({ afterMs, operation })

  it('sends each request at its time', async () => {
    const clock = createClock()
    const sentAt: number[] = []
    const send = async () => {
      sentAt.push(clock.now())
      return 200
    }
    await sendOnSchedule([at(0), at(5), at(40)], { send, clock, maxInFlight: 10 })
    expect(sentAt).toEqual([1_000, 1_005, 1_040])
  })

  it('sends a request although the one before it has not been answered', async () => {
    const clock = createClock()
    const first = Promise.withResolvers<number>()
    const responses = [first.promise, Promise.resolve(201)]
    let sent = 0
    const send = () => {
      sent += 1
      if (sent === 2) queueMicrotask(() => first.resolve(200))
      return responses[sent - 1] ?? Promise.resolve(500)
    }
    const outcomes = await sendOnSchedule([at(0), at(10)], { send, clock, maxInFlight: 10 })
    expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 201])
  })

  it('counts latency from the time at which a request was due, when the generator itself was late', async () => {
    const clock = createClock()
    const send = async () => {
      clock.advance(100) // blocks the generator, as a busy process does
      return 200
    }
    const outcomes = await sendOnSchedule([at(0), at(10), at(20)], { send, clock, maxInFlight: 10 })
    expect(outcomes.map(({ lateMs }) => lateMs)).toEqual([0, 90, 180])
    for (const { latencyMs, lateMs } of outcomes) expect(latencyMs).toBeGreaterThanOrEqual(lateMs + 100)
  })

  it('counts a request that is rejected as a failure with the name of its error', async () => {
    const send = () => Promise.reject(new TypeError('fetch failed'))
    const outcomes = await sendOnSchedule([at(0)], { send, clock: createClock() })
    expect(summarize(outcomes, 1)).toMatchObject({ failures: 1, failuresByStatus: { TypeError: 1 } })
  })

  it('does not send more requests than may be in progress, and counts the others as failures', async () => {
    const clock = createClock()
    const { promise, resolve } = Promise.withResolvers<number>()
    let sent = 0
    const send = () => {
      sent += 1
      return promise
    }
    const outcomes = sendOnSchedule([at(0), at(0), at(0)], { send, clock, maxInFlight: 2 })
    resolve(200)
    expect((await outcomes).map(({ status }) => status)).toEqual([notSent, 200, 200])
    expect(sent).toBe(2)
    expect(summarize(await outcomes, 1)).toMatchObject({ failures: 1, p99: Number.POSITIVE_INFINITY })
  })
})

describe('summarize', () => {
  const outcomeOf = (status: number | string, latencyMs: number) => ({ status, latencyMs })

  it('returns percentiles of all latencies, and the rate of the successes', () => {
    const outcomes = Array.from({ length: 1_000 }, (_, index) => outcomeOf(index % 10 === 0 ? 503 : 200, index + 1))
    expect(summarize(outcomes, 10)).toEqual({
      requests: 1_000,
      perSecond: 90,
      p50: 501,
      p95: 951,
      p99: 991,
      max: 1_000,
      failures: 100,
      failuresByStatus: { 503: 100 },
    })
  })

  it('counts failures by status, also those without a response', () => {
    const outcomes = [200, 201, 302, 429, 429, 'timeout', 'ECONNRESET'].map((status) => outcomeOf(status, 1))
    expect(summarize(outcomes, 1)).toMatchObject({
      perSecond: 2,
      failures: 5,
      failuresByStatus: { 302: 1, 429: 2, timeout: 1, ECONNRESET: 1 },
    })
  })
})

describe('findSaturation', () => {
  /** A platform that sustains a number of requests per second. */
  const find = (capacity: number, maxRate = 10_000) =>
    findSaturation({
      startRate: 100,
      maxRate,
      factor: 2,
      refinements: 3,
      maxSteps: 12,
      measure: async (rate) => ({ rate, isSustained: rate <= capacity }),
    })

  it('halves the interval around the capacity', async () => {
    const { rate, steps } = await find(700)
    expect(steps.map((step) => step.rate)).toEqual([100, 200, 400, 800, 600, 700, 750])
    expect(rate).toBe(700)
  })

  it('ends at the highest rate', async () => {
    const { rate, steps } = await find(5_000, 300)
    expect(steps.map((step) => step.rate)).toEqual([100, 200, 300])
    expect(rate).toBe(300)
  })

  it('returns no rate when the first one is not sustained', async () => {
    const { rate, steps } = await find(50)
    expect(rate).toBeUndefined()
    expect(steps).toHaveLength(1)
  })
})

describe('the mix', () => {
  it('has shares of 100 percent in total', () => {
    expect(mix.reduce((sum, { share }) => sum + share, 0)).toBe(100)
  })

  it('is the table of docs/load.md, which gives a reason for each share', () => {
    const document = readFileSync(join(import.meta.dirname, '../../docs/load.md'), 'utf8')
    const rows = [...document.matchAll(/^\| ([\w ()]+) \| (\d+) % \| .{10,} \|$/gm)]
    expect(rows.map(([, name, share]) => [name, Number(share)])).toEqual(mix.map(({ name, share }) => [name, share]))
  })
})
