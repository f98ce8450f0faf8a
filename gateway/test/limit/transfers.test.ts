import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { clockCorrection, hashOf, windowAt, windowStart } from '../../src/limit/clock.ts'
import { addToRate, apportion, decay, planTransfers, type QuotaShare } from '../../src/limit/transfers.ts'

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const turn = fc.nat(2 ** 31 - 1)

describe('apportioning', () => {
  it.each([
    { units: 10, weights: [90, 9, 1], parts: [9, 1, 0] },
    { units: 2, weights: [90, 9, 1], parts: [2, 0, 0] },
    { units: 1, weights: [1, 1, 1], parts: [1, 0, 0] },
    { units: 5, weights: [0, 0], parts: [3, 2] },
    { units: 7, weights: [1], parts: [7] },
    { units: 0, weights: [3, 4], parts: [0, 0] },
  ])('gives $units by $weights as $parts', ({ units, weights, parts }) =>
    expect(apportion(units, weights, 0)).toEqual(parts),
  )

  it('begins with another for another turn', () =>
    expect([0, 1, 2, 3].map((at) => apportion(1, [1, 1, 1], at))).toEqual([
      [1, 0, 0],
      [0, 0, 1],
      [0, 1, 0],
      [1, 0, 0],
    ]))

  it('gives away exactly what there is, nobody less than the whole part of what is due', () => {
    const units = fc.oneof(fc.nat(50), fc.nat(10_000), fc.nat(2 ** 50))
    const weights = fc.array(fc.oneof(fc.nat(5), fc.double({ min: 0, max: 1e9, noNaN: true })), { minLength: 1 })
    fc.assert(
      fc.property(units, weights, turn, (whole, shares, at) => {
        const parts = apportion(whole, shares, at)
        expect(sum(parts)).toBe(whole)
        expect(parts.every((part) => Number.isInteger(part) && part >= 0)).toBe(true)
        const due = (index: number) => (whole * (shares[index] ?? 0)) / sum(shares)
        if (whole <= 10_000 && sum(shares) > 0)
          for (const [index, part] of parts.entries()) expect(Math.abs(part - due(index))).toBeLessThan(1.001)
      }),
      { numRuns: 500 },
    )
  })
})

describe('gifts', () => {
  const holder = fc.record({ unspent: fc.nat(1000), rate: fc.oneof(fc.constant(0), fc.nat(100_000)) })
  const holders = fc.array(holder, { minLength: 1, maxLength: 6 })

  function exchange(before: readonly QuotaShare[], at: number): QuotaShare[] {
    const all = before.map((_, giver) => planTransfers(before, giver, at))
    return before.map((own, index) => ({
      ...own,
      unspent: own.unspent - sum(all[index] ?? []) + sum(all.map((given) => given[index] ?? 0)),
    }))
  }

  it('are never more than the giver has, nor for itself', () =>
    fc.assert(
      fc.property(holders, turn, (all, at) => {
        for (const [giver, { unspent }] of all.entries()) {
          const given = planTransfers(all, giver, at)
          expect(given[giver]).toBe(0)
          expect(given.every((units) => units >= 0)).toBe(true)
          expect(sum(given)).toBeLessThanOrEqual(unspent)
        }
      }),
      { numRuns: 500 },
    ))

  it('leave the whole as it is, and nobody with nothing while requests come to it and another has a surplus', () =>
    fc.assert(
      fc.property(holders, turn, (all, at) => {
        const after = exchange(all, at)
        expect(sum(after.map(({ unspent }) => unspent))).toBe(sum(all.map(({ unspent }) => unspent)))
        const total = sum(all.map(({ unspent }) => unspent))
        const targets = apportion(
          total,
          all.map(({ rate }) => rate),
          at,
        )
        // who would get several units by its requests alone has at least one after one exchange
        for (const [index, { unspent }] of after.entries())
          if ((targets[index] ?? 0) > all.length) expect(unspent).toBeGreaterThan(0)
      }),
      { numRuns: 500 },
    ))

  it('are none while everybody has enough', () =>
    expect(
      planTransfers(
        [
          { unspent: 300, rate: 6000 },
          { unspent: 300, rate: 60 },
        ],
        1,
        0,
      ),
    ).toEqual([0, 0]))

  it('bring what remains to where the requests are', () => {
    const after = exchange(
      [
        { unspent: 50, rate: 9000 },
        { unspent: 600, rate: 900 },
        { unspent: 600, rate: 100 },
      ],
      0,
    )
    expect(after[0]?.unspent).toBeGreaterThan(1100)
    expect(after[1]?.unspent).toBeGreaterThan(100)
    expect(after[2]?.unspent).toBeGreaterThan(10)
  })

  it('bring the last unit to where the last request was', () =>
    expect(
      exchange(
        [
          { unspent: 0, rate: 60 },
          { unspent: 1, rate: 0 },
          { unspent: 0, rate: 0 },
        ],
        1,
      )[0]?.unspent,
    ).toBe(1))

  it('give something to whoever has just come', () => {
    const after = exchange(
      [
        { unspent: 400, rate: 600 },
        { unspent: 300, rate: 600 },
        { unspent: 0, rate: 0 },
      ],
      0,
    )
    expect(after[2]?.unspent).toBeGreaterThan(5)
  })
})

describe('the rate', () => {
  it('is the requests of a minute, if they come as they did', () => {
    let rate = 0
    for (let tick = 0; tick < 600; tick += 1) rate = addToRate(rate, 50, 5)
    expect(rate).toBeGreaterThan(5900)
    expect(rate).toBeLessThan(6300)
    expect(decay(rate, 15_000)).toBeLessThan(60)
    expect(decay(rate, -5000)).toBe(rate)
  })
})

describe('the clock', () => {
  it('gives every moment one window of a minute, from its beginning to the next', () =>
    fc.assert(
      fc.property(fc.string(), fc.nat(2 ** 41), (key, clock) => {
        const hash = hashOf(key)
        const window = windowAt(hash, clock)
        expect(windowStart(hash, window)).toBeLessThanOrEqual(clock)
        expect(windowStart(hash, window + 1)).toBe(windowStart(hash, window) + 60_000)
        expect(windowStart(hash, window + 1)).toBeGreaterThan(clock)
      }),
    ))

  it('lets windows of different keys end at different times', () => {
    const ends = Array.from({ length: 600 }, (_, at) => windowStart(hashOf(`akey_${at}`), 1) % 60_000)
    const inEachTenth = Array.from(
      { length: 10 },
      (_, tenth) => ends.filter((end) => Math.floor(end / 6000) === tenth).length,
    )
    expect(Math.min(...inEachTenth)).toBeGreaterThan(30)
  })

  it('is the same for all, whoever’s is wrong', () =>
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -30_000, max: 30_000 }), { minLength: 1, maxLength: 7 }), (skews) => {
        const common = skews.map(
          (own, self) => own + clockCorrection(skews.filter((_, at) => at !== self).map((other) => other - own)),
        )
        for (const clock of common) expect(clock).toBeCloseTo(common[0] ?? Number.NaN, 6)
        expect(Math.min(...skews)).toBeLessThanOrEqual(common[0] ?? Number.NaN)
        expect(Math.max(...skews)).toBeGreaterThanOrEqual(common[0] ?? Number.NaN)
      }),
    ))

  it('does not follow one of three that is half a minute off', () => {
    expect(clockCorrection([3, 30_000])).toBe(3)
    expect(clockCorrection([-30_000, -29_997])).toBe(-29_997)
  })
})
