import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { proratedAmount, segmentsOf, type Terms, type TermsChange } from '../../src/subscriptions/proration.ts'

const period = { start: new Date('2026-01-31T10:00:00Z'), end: new Date('2026-02-28T10:00:00Z') }
const secondsInPeriod = 28 * 86_400
const at = (second: number, ms = 0) => new Date(period.start.getTime() + second * 1000 + ms)
const price = fc.integer({ min: 0, max: 1_000_000_000 })
const second = fc.integer({ min: 0, max: secondsInPeriod })

describe('proratedAmount', () => {
  it('is the price for the whole period, half of it for half, and rounds half up', () => {
    expect(proratedAmount(4_900, period, period.start, period.end)).toBe(4_900)
    expect(proratedAmount(4_900, period, at(secondsInPeriod / 2), period.end)).toBe(2_450)
    expect(proratedAmount(1, period, period.start, at(secondsInPeriod / 2))).toBe(1)
    expect(proratedAmount(1, period, period.start, at(secondsInPeriod / 2 - 1))).toBe(0)
  })

  it('adds up to the same sum for any division of the period', () => {
    fc.assert(
      fc.property(price, fc.array(second), (amount, cuts) => {
        const times = [0, ...cuts.toSorted((a, b) => a - b), secondsInPeriod]
        const parts = times.slice(1).map((end, index) => proratedAmount(amount, period, at(times[index] ?? 0), at(end)))
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(amount)
        expect(parts.every((part) => part >= 0)).toBe(true)
      }),
    )
  })

  it('ignores times outside the period', () => {
    const outside = [new Date('2026-01-01'), new Date('2026-12-01')] as const
    expect(proratedAmount(4_900, period, ...outside)).toBe(4_900)
    expect(proratedAmount(4_900, period, period.end, outside[1])).toBe(0)
  })
})

const terms = fc.record({ plan: fc.constantFrom('free', 'team', 'business'), seats: fc.integer({ min: 1, max: 100 }) })
const prices: Record<string, number> = { free: 0, team: 4_900, business: 24_900 }
const costOf = (changes: readonly TermsChange[], current: Terms) =>
  segmentsOf(period, current, changes).reduce(
    (sum, { plan, seats, start, end }) => sum + proratedAmount((prices[plan] ?? 0) + seats * 900, period, start, end),
    0,
  )

describe('segmentsOf', () => {
  const team = { plan: 'team', seats: 10 }
  const business = { plan: 'business', seats: 60 }

  it('is one part with the current terms without changes', () => {
    expect(segmentsOf(period, team, [])).toEqual([{ ...team, ...period }])
  })

  it('takes the terms at the start from the last change before it, or from the first one after it', () => {
    const later = { occurredAt: at(secondsInPeriod), from: team, to: business }
    expect(segmentsOf(period, business, [later])).toEqual([{ ...team, ...period }])
    const earlier = { occurredAt: period.start, from: team, to: business }
    expect(segmentsOf(period, team, [earlier])).toEqual([{ ...business, ...period }])
  })

  it('covers the period without gaps or overlaps for any changes', () => {
    fc.assert(
      fc.property(terms, fc.array(fc.tuple(second, terms)), (first, later) => {
        const { changes } = historyOf(first, later)
        const segments = segmentsOf(period, first, changes)
        expect(segments.at(0)?.start).toEqual(period.start)
        expect(segments.at(-1)?.end).toEqual(period.end)
        expect(segments.slice(1).map(({ start }) => start)).toEqual(segments.slice(0, -1).map(({ end }) => end))
      }),
    )
  })

  it('costs nothing for a change that is reversed in the same second', () => {
    fc.assert(
      fc.property(terms, terms, second, fc.integer({ min: 0, max: 999 }), (from, to, moment, ms) => {
        const changes = [
          { occurredAt: at(moment), from, to },
          { occurredAt: at(moment, ms), from: to, to: from },
        ]
        expect(costOf(changes, from)).toBe(costOf([], from))
      }),
    )
  })
})

/** Builds a history in which each change starts from the terms before it. */
function historyOf(first: Terms, later: readonly (readonly [number, Terms])[]): { changes: TermsChange[] } {
  let from = first
  const changes = later
    .toSorted(([a], [b]) => a - b)
    .map(([moment, to]) => {
      const change = { occurredAt: at(moment), from, to }
      from = to
      return change
    })
  return { changes }
}
