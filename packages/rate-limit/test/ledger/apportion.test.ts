import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { apportion } from '../../src/ledger/apportion.ts'

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

describe('apportion', () => {
  it.each([
    { units: 10, weights: [90, 9, 1], parts: [9, 1, 0] },
    { units: 2, weights: [90, 9, 1], parts: [2, 0, 0] },
    { units: 1, weights: [1, 1, 1], parts: [1, 0, 0] },
    { units: 5, weights: [0, 0], parts: [3, 2] },
    { units: 7, weights: [1], parts: [7] },
    { units: 0, weights: [3, 4], parts: [0, 0] },
  ])('splits $units by $weights into $parts', ({ units, weights, parts }) =>
    expect(apportion(units, weights, 0)).toEqual(parts),
  )

  it('starts ties with a different party for each turn', () =>
    expect([0, 1, 2, 3].map((turn) => apportion(1, [1, 1, 1], turn))).toEqual([
      [1, 0, 0],
      [0, 0, 1],
      [0, 1, 0],
      [1, 0, 0],
    ]))

  it('splits exactly what there is, within one unit of each proportional share', () => {
    const units = fc.oneof(fc.nat(50), fc.nat(10_000), fc.nat(2 ** 50))
    const weights = fc.array(fc.oneof(fc.nat(5), fc.double({ min: 0, max: 1e9, noNaN: true })), { minLength: 1 })
    fc.assert(
      fc.property(units, weights, fc.nat(2 ** 31 - 1), (total, shares, turn) => {
        const parts = apportion(total, shares, turn)
        expect(sum(parts)).toBe(total)
        expect(parts.every((part) => Number.isInteger(part) && part >= 0)).toBe(true)
        const proportional = (index: number) => (total * (shares[index] ?? 0)) / sum(shares)
        if (total <= 10_000 && sum(shares) > 0)
          for (const [index, part] of parts.entries()) expect(Math.abs(part - proportional(index))).toBeLessThan(1.001)
      }),
      { numRuns: 500 },
    )
  })
})
