import { describe, expect, it } from '@jest/globals'
import {
  defaultHoldSchedule,
  type EndpointHealth,
  initialHealth,
  updateHealth,
} from '../../src/delivery/endpoint-health.ts'
import type { AttemptResult } from '../../src/delivery/next-state.ts'

const nowMs = 1_000_000_000
const delivered: AttemptResult = { outcome: 'delivered' }
const failed: AttemptResult = { outcome: 'failed', action: 'retry', isOverloaded: false }
const timedOut: AttemptResult = { outcome: 'failed', action: 'retry', isOverloaded: true }
const deferred: AttemptResult = { outcome: 'failed', action: 'retry_after', retryAfterMs: 60_000, isOverloaded: true }

/** Returns the health after attempts with these results, each at a time in milliseconds from the start. */
const after = (health: EndpointHealth, ...steps: [AttemptResult, number?][]): EndpointHealth =>
  steps.reduce((before, [result, atMs = 0]) => updateHealth(before, result, nowMs + atMs, defaultHoldSchedule), health)

const times = (count: number, result: AttemptResult): [AttemptResult][] => Array<[AttemptResult]>(count).fill([result])

describe('the in-flight cap', () => {
  it('grows by one with each success, up to 16', () => {
    expect(after(initialHealth, ...times(3, delivered)).inFlightCap).toBe(7)
    expect(after(initialHealth, ...times(100, delivered)).inFlightCap).toBe(16)
  })

  it('halves when the receiver is overloaded, but not below 1', () => {
    const grown = { ...initialHealth, inFlightCap: 16 }
    expect(after(grown, [timedOut]).inFlightCap).toBe(8)
    expect(after(grown, [deferred]).inFlightCap).toBe(8)
    expect(after({ ...initialHealth, inFlightCap: 1 }, [timedOut]).inFlightCap).toBe(1)
  })

  it('does not change when the failure is not about load', () => {
    expect(after(initialHealth, [failed]).inFlightCap).toBe(4)
  })
})

describe('the circuit breaker', () => {
  it('holds for 30 s after five consecutive failures, then allows one probe', () => {
    expect(after(initialHealth, ...times(4, failed)).heldUntilMs).toBeNull()
    expect(after(initialHealth, ...times(5, failed))).toEqual({
      inFlightCap: 1,
      consecutiveFailures: 5,
      holds: 1,
      heldUntilMs: nowMs + 30_000,
    })
  })

  it('resets its count after a success', () => {
    expect(after(initialHealth, ...times(4, failed), [delivered], ...times(4, failed)).heldUntilMs).toBeNull()
  })

  it('doubles the hold with each failed probe, up to 30 min', () => {
    const held = after(initialHealth, ...times(5, failed))
    const seconds: number[] = []
    let health = held
    for (let probe = 0; probe < 8; probe += 1) {
      const atMs = health.heldUntilMs ?? 0
      health = updateHealth(health, failed, atMs, defaultHoldSchedule)
      seconds.push(((health.heldUntilMs ?? 0) - atMs) / 1000)
    }
    expect(seconds).toEqual([60, 120, 240, 480, 960, 1_800, 1_800, 1_800])
  })

  it('does not extend a hold for attempts that were in flight when it started', () => {
    const held = after(initialHealth, ...times(5, failed))
    const late = after(held, [failed, 15_000])
    expect(late).toMatchObject({ heldUntilMs: held.heldUntilMs, holds: 1 })
  })

  it('closes with the first success and raises the cap one by one', () => {
    const held = after(initialHealth, ...times(5, failed))
    expect(after(held, [delivered, 31_000])).toEqual({
      inFlightCap: 2,
      consecutiveFailures: 0,
      holds: 0,
      heldUntilMs: null,
    })
  })

  it('does not count responses with Retry-After as failures', () => {
    expect(after(initialHealth, ...times(20, deferred))).toMatchObject({ consecutiveFailures: 0, heldUntilMs: null })
  })
})
