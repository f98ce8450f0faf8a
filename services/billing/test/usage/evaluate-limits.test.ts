import { describe, expect, it } from '@jest/globals'
import type { Meter } from '@wp/contracts'
import { planOf } from '../../src/plans.ts'
import { evaluateLimits, type LimitState, usedPercent } from '../../src/usage/evaluate-limits.ts'

const period = { start: new Date('2026-03-01T00:00:00Z'), end: new Date('2026-04-01T00:00:00Z') }
const earlier = { start: new Date('2026-02-01T00:00:00Z'), end: period.start }
const free = planOf('free')
const included = free.meters.find(({ meter }) => meter === 'syncs')?.included ?? 0

const stateOf = (quantity: number, state: Partial<LimitState> = {}): LimitState => ({
  now: Date.parse('2026-03-15T00:00:00Z'),
  plan: free,
  period,
  totals: new Map<Meter, number>([['syncs', quantity]]),
  limits: [],
  reported: [],
  ...state,
})

const reported = (percent: number, from = period, limit = included) => ({
  meter: 'syncs' as const,
  periodStart: from.start,
  included: limit,
  percent,
})
const known = (exhausted: boolean, periodEnd = period.end) => ({ meter: 'syncs' as const, exhausted, periodEnd })

describe('evaluateLimits', () => {
  const cases: [string, LimitState, number[], boolean[]][] = [
    ['nothing below 80 %', stateOf(included * 0.8 - 1), [], []],
    ['80 %', stateOf(included * 0.8), [80], []],
    ['nothing again', stateOf(included * 0.9, { reported: [reported(80)] }), [], []],
    ['80 % again in a later period', stateOf(included * 0.8, { reported: [reported(80, earlier)] }), [80], []],
    ['80 % of another limit', stateOf(included * 0.8, { reported: [reported(80, period, 7)] }), [80], []],
    ['100 %, and refuses', stateOf(included, { reported: [reported(80)] }), [100], [true]],
    ['both thresholds at once', stateOf(included * 3), [80, 100], [true]],
    [
      'nothing when all is known',
      stateOf(included * 3, { reported: [reported(80), reported(100)], limits: [known(true)] }),
      [],
      [],
    ],
    ['100 % without refusal in a plan that bills', stateOf(10 ** 12, { plan: planOf('team') }), [80, 100], []],
    ['that use is allowed again', stateOf(0, { plan: planOf('team'), limits: [known(true)] }), [], [false]],
    [
      'that use is allowed again when a period begins early',
      stateOf(0, { limits: [known(true, new Date('2026-03-20T00:00:00Z'))] }),
      [],
      [false],
    ],
    ['nothing of a limit that has ended', stateOf(0, { limits: [known(true, period.start)] }), [], []],
    [
      'the end of the current period',
      stateOf(included, { reported: [reported(80), reported(100)], limits: [known(true, earlier.end)] }),
      [],
      [true],
    ],
  ]
  it.each(cases)('reports %s', (_, state, percents, exhausted) => {
    const changes = evaluateLimits(state)
    expect(changes.reached.map(({ percent }) => percent)).toEqual(percents)
    expect(changes.limits.map((limit) => limit.exhausted)).toEqual(exhausted)
  })

  it('never refuses deliveries', () => {
    const totals = new Map<Meter, number>([['deliveries', 10 ** 12]])
    expect(evaluateLimits(stateOf(0, { totals })).limits).toEqual([])
  })
})

describe('usedPercent', () => {
  it.each([
    [0, 10, 0],
    [999, 1_000, 99],
    [1_000, 1_000, 100],
    [2_500, 1_000, 250],
    [5, null, null],
    [0, 0, 0],
    [1, 0, 100],
  ])('of %p of %p is %p', (quantity, limit, percent) => {
    expect(usedPercent(quantity, limit)).toBe(percent)
  })
})
