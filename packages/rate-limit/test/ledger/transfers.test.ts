import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { apportion } from '../../src/ledger/apportion.ts'
import { planTransfers, type QuotaShare } from '../../src/ledger/transfers.ts'

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const anyTurn = fc.nat(2 ** 31 - 1)
const anyShare = fc.record({ unspent: fc.nat(1000), ratePerMinute: fc.oneof(fc.constant(0), fc.nat(100_000)) })
const anyShares = fc.array(anyShare, { minLength: 1, maxLength: 6 })

/** Returns the shares after every edge has made the transfers it plans. */
function transferAll(before: readonly QuotaShare[], turn: number): QuotaShare[] {
  const plans = before.map((_, giver) => planTransfers(before, giver, turn))
  return before.map((share, index) => ({
    ...share,
    unspent: share.unspent - sum(plans[index] ?? []) + sum(plans.map((plan) => plan[index] ?? 0)),
  }))
}

describe('planTransfers', () => {
  it('transfers no more than the giver has, and nothing to the giver itself', () =>
    fc.assert(
      fc.property(anyShares, anyTurn, (shares, turn) => {
        for (const [giver, { unspent }] of shares.entries()) {
          const units = planTransfers(shares, giver, turn)
          expect(units[giver]).toBe(0)
          expect(units.every((part) => part >= 0)).toBe(true)
          expect(sum(units)).toBeLessThanOrEqual(unspent)
        }
      }),
      { numRuns: 500 },
    ))

  it('keeps the total, and leaves no busy edge without quota while another has a surplus', () =>
    fc.assert(
      fc.property(anyShares, anyTurn, (shares, turn) => {
        const after = transferAll(shares, turn)
        const total = sum(shares.map(({ unspent }) => unspent))
        expect(sum(after.map(({ unspent }) => unspent))).toBe(total)
        const targets = apportion(
          total,
          shares.map(({ ratePerMinute }) => ratePerMinute),
          turn,
        )
        // an edge whose requests alone entitle it to several units has at least one after one round
        for (const [index, { unspent }] of after.entries())
          if ((targets[index] ?? 0) > shares.length) expect(unspent).toBeGreaterThan(0)
      }),
      { numRuns: 500 },
    ))

  it('transfers nothing while every edge has enough', () => {
    const shares = [
      { unspent: 300, ratePerMinute: 6000 },
      { unspent: 300, ratePerMinute: 60 },
    ]
    expect(planTransfers(shares, 1, 0)).toEqual([0, 0])
  })

  it('moves the remaining quota to the edges that receive the requests', () => {
    const shares = [
      { unspent: 50, ratePerMinute: 9000 },
      { unspent: 600, ratePerMinute: 900 },
      { unspent: 600, ratePerMinute: 100 },
    ]
    const [first, second, third] = transferAll(shares, 0).map(({ unspent }) => unspent)
    expect(first).toBeGreaterThan(1100)
    expect(second).toBeGreaterThan(100)
    expect(third).toBeGreaterThan(10)
  })

  it('moves the last unit to the edge that received the last request', () => {
    const shares = [
      { unspent: 0, ratePerMinute: 60 },
      { unspent: 1, ratePerMinute: 0 },
      { unspent: 0, ratePerMinute: 0 },
    ]
    expect(transferAll(shares, 1)[0]?.unspent).toBe(1)
  })

  it('gives a reserve to an edge that has just joined', () => {
    const shares = [
      { unspent: 400, ratePerMinute: 600 },
      { unspent: 300, ratePerMinute: 600 },
      { unspent: 0, ratePerMinute: 0 },
    ]
    expect(transferAll(shares, 0)[2]?.unspent).toBeGreaterThan(5)
  })
})
