import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { hashOf, windowAt, windowStart } from '../src/window.ts'

describe('windowAt', () => {
  it('assigns every time to exactly one window of a minute', () =>
    fc.assert(
      fc.property(fc.string(), fc.nat(2 ** 41), (key, timeMs) => {
        const hash = hashOf(key)
        const window = windowAt(hash, timeMs)
        expect(windowStart(hash, window)).toBeLessThanOrEqual(timeMs)
        expect(windowStart(hash, window + 1)).toBe(windowStart(hash, window) + 60_000)
        expect(windowStart(hash, window + 1)).toBeGreaterThan(timeMs)
      }),
    ))

  it('spreads the window ends of different keys over the minute', () => {
    const ends = Array.from({ length: 600 }, (_, index) => windowStart(hashOf(`akey_${index}`), 1) % 60_000)
    const endsPerTenth = Array.from(
      { length: 10 },
      (_, tenth) => ends.filter((end) => Math.floor(end / 6000) === tenth).length,
    )
    expect(Math.min(...endsPerTenth)).toBeGreaterThan(30)
  })
})
