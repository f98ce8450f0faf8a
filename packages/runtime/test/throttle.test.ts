import { describe, expect, it } from '@jest/globals'
import { throttle } from '../src/throttle.ts'

/** A throttled function that records the times of its calls, at a clock that the test moves. */
function createThrottled(intervalMs: number, onCall: (request: () => void) => void = () => {}) {
  let nowMs = 0
  let scheduled: { atMs: number; call: () => void } | undefined
  const calledAt: number[] = []
  const clock = {
    now: () => nowMs,
    callAfter: (ms: number, call: () => void) => {
      scheduled = { atMs: nowMs + ms, call }
    },
  }
  const request = throttle(
    () => {
      calledAt.push(nowMs)
      onCall(request)
    },
    intervalMs,
    clock,
  )
  const requestAt = (ms: number) => {
    advanceTo(ms)
    request()
  }
  function advanceTo(ms: number): void {
    while (scheduled !== undefined && scheduled.atMs <= ms) {
      const { atMs, call } = scheduled
      scheduled = undefined
      nowMs = atMs
      call()
    }
    nowMs = ms
  }
  return { requestAt, advanceTo, calledAt }
}

describe('a throttled function', () => {
  it('calls at once after a pause, and otherwise once at the end of the interval', () => {
    const { requestAt, advanceTo, calledAt } = createThrottled(10)
    for (const ms of [0, 0, 4, 9, 50]) requestAt(ms)
    advanceTo(100)
    expect(calledAt).toEqual([0, 10, 50])
  })

  it('counts the interval from the last call, also from one at the end of an interval', () => {
    const { requestAt, advanceTo, calledAt } = createThrottled(10)
    for (const ms of [3, 4, 15, 24]) requestAt(ms)
    advanceTo(100)
    expect(calledAt).toEqual([3, 13, 23, 33])
  })

  it('calls each time if the interval is 0', () => {
    const { requestAt, calledAt } = createThrottled(0)
    for (const ms of [1, 1, 2]) requestAt(ms)
    expect(calledAt).toEqual([1, 1, 2])
  })

  it('accepts a request from within the call', () => {
    let requests = 0
    const { requestAt, advanceTo, calledAt } = createThrottled(10, (request) => {
      requests += 1
      if (requests < 3) request()
    })
    requestAt(5)
    advanceTo(100)
    expect(calledAt).toEqual([5, 15, 25])
  })
})
