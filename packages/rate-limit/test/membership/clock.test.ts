import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { clockCorrectionMs } from '../../src/membership/clock.ts'

describe('clockCorrectionMs', () => {
  it('gives all edges the same time, within the range of their clocks, however wrong they are', () =>
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -30_000, max: 30_000 }), { minLength: 1, maxLength: 7 }), (skews) => {
        const common = skews.map(
          (own, self) => own + clockCorrectionMs(skews.filter((_, index) => index !== self).map((skew) => skew - own)),
        )
        for (const time of common) expect(time).toBeCloseTo(common[0] ?? Number.NaN, 6)
        expect(Math.min(...skews)).toBeLessThanOrEqual(common[0] ?? Number.NaN)
        expect(Math.max(...skews)).toBeGreaterThanOrEqual(common[0] ?? Number.NaN)
      }),
    ))

  it('ignores one clock of three that is half a minute off', () => {
    expect(clockCorrectionMs([3, 30_000])).toBe(3)
    expect(clockCorrectionMs([-30_000, -29_997])).toBe(-29_997)
  })
})
