import { describe, expect, it } from '@jest/globals'
import { backoffMs, jitteredMs } from '../src/index.ts'

describe('backoffMs', () => {
  const backoff = { firstMs: 100, maxMs: 1_000 }

  it('doubles with every failure up to the maximum', () => {
    const pauses = [1, 2, 3, 4, 5, 500].map((failures) => backoffMs(failures, backoff, 0))
    expect(pauses).toEqual([100, 200, 400, 800, 1_000, 1_000])
  })

  it('subtracts at most half of the pause', () => {
    expect(backoffMs(2, backoff, 0.999)).toBeCloseTo(100, 0)
  })
})

describe('jitteredMs', () => {
  it('varies the interval by a quarter in both directions', () => {
    expect([0, 0.5, 1].map((random) => jitteredMs(1_000, random))).toEqual([750, 1_000, 1_250])
  })
})
