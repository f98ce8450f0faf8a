import { expect, test } from '@jest/globals'
import type { BillingSubscription, Plan, UsageEntry } from '@wp/contracts'
import {
  defaultChangeTime,
  defaultSeats,
  exceededLimits,
  monthlyPrice,
  newlyRefused,
} from '../../../web/src/usage/plan/plan-change.ts'

const free: Plan = {
  id: 'plan_1',
  code: 'free',
  name: 'Free',
  description: '',
  currency: 'EUR',
  price_minor: 0,
  seat_price_minor: 0,
  included_seats: 10,
  limits: {
    credential_per_minute: 1,
    workspace_per_minute: {},
    seats: 10,
    quotas: { sources: 5 },
    audit_retention_days: 90,
  },
  meters: [
    { meter: 'api_calls', included: 100, at_limit: 'refuse', price_minor: 0, unit: 1 },
    { meter: 'syncs', included: 100, at_limit: 'refuse', price_minor: 0, unit: 1 },
    { meter: 'records', included: null, at_limit: 'refuse', price_minor: 0, unit: 1 },
  ],
}
const team: Plan = {
  ...free,
  id: 'plan_2',
  name: 'Team',
  price_minor: 4_900,
  seat_price_minor: 900,
  meters: [
    { meter: 'api_calls', included: 200, at_limit: 'bill', price_minor: 1, unit: 1 },
    { meter: 'syncs', included: 200, at_limit: 'refuse', price_minor: 0, unit: 1 },
  ],
}
const usage = (quota: UsageEntry['quota'], current: number | null): UsageEntry => ({
  quota,
  kind: null,
  unit: 'count',
  limit: 1_000,
  current,
  period: null,
})

test('seats beyond the included ones are paid', () => {
  expect([monthlyPrice(team, 10), monthlyPrice(team, 12), monthlyPrice(team, 3)]).toEqual([4_900, 6_700, 4_900])
})

test('a dearer month begins now, any other at the end of the period', () => {
  expect(defaultChangeTime(free, 10, team, 10)).toBe('now')
  expect(defaultChangeTime(team, 12, team, 13)).toBe('now')
  expect(defaultChangeTime(team, 12, team, 12)).toBe('period_end')
  expect(defaultChangeTime(team, 10, free, 10)).toBe('period_end')
})

test('a change of plan sets the included seats, or those in use', () => {
  const subscription = { seats: 30 } as BillingSubscription // the only member that is read
  expect([5, 14].map((used) => defaultSeats(free, subscription, team, used))).toEqual([10, 14])
  expect(defaultSeats(team, subscription, team, 14)).toBe(30)
})

test('resources beyond the named limits of a plan are listed', () => {
  const quotas = [usage('sources', 6), usage('seats', 10), usage('agents', 900), usage('sources', null)]
  expect(exceededLimits(free, quotas)).toEqual(['Data sources: 6 in use, 5 allowed'])
})

test('meters whose further use becomes refused are listed', () => {
  expect(newlyRefused(team, free)).toEqual(['api_calls'])
  expect(newlyRefused(free, team)).toEqual([])
})
