import { describe, expect, it } from '@jest/globals'
import { Plan, quotas } from '@wp/contracts'
import { freePlan, monthlyPrice, planOf, plans } from '../src/plans.ts'

describe('the plans', () => {
  it('are valid, with unique ids and codes, cheapest first', () => {
    for (const plan of plans) expect(Plan.parse(plan)).toEqual(plan)
    for (const field of ['id', 'code', 'name'] as const)
      expect(new Set(plans.map((plan) => plan[field])).size).toBe(plans.length)
    const prices = plans.map(({ price_minor: price }) => price)
    expect(prices).toEqual(prices.toSorted((a, b) => a - b))
  })

  it('give a workspace without a subscription the default limits', () => {
    const { credential_per_minute, workspace_per_minute, seats, quotas: changed } = freePlan.limits
    expect([credential_per_minute, seats, changed]).toEqual([600, quotas.seats.limit, {}])
    expect(new Set(Object.values(workspace_per_minute))).toEqual(new Set([3_000]))
    expect(monthlyPrice(freePlan, freePlan.limits.seats)).toBe(0)
  })

  it('allow at least the seats they include, and a dearer one never less than a cheaper one', () => {
    const limits = plans.map((plan) => plan.limits)
    for (const { included_seats, limits: own } of plans) expect(own.seats).toBeGreaterThanOrEqual(included_seats)
    for (const field of ['seats', 'credential_per_minute', 'audit_retention_days'] as const) {
      const values = limits.map((one) => one[field])
      expect(values).toEqual(values.toSorted((a, b) => a - b))
    }
  })
})

describe('monthlyPrice', () => {
  it('adds the seats beyond those included', () => {
    expect([10, 11, 30].map((seats) => monthlyPrice(planOf('team'), seats))).toEqual([4_900, 5_800, 22_900])
  })
})
