import { describe, expect, it } from '@jest/globals'
import { Problem } from '@wp/contracts'
import { planOf } from '../../src/plans.ts'
import { type ChangeRequest, requestChange } from '../../src/subscriptions/request-change.ts'
import {
  applyDueChange,
  initialState,
  limitsOf,
  type SubscriptionState,
} from '../../src/subscriptions/subscription-state.ts'

const now = new Date('2026-03-10T12:00:00.000Z')
const anchor = new Date('2026-01-31T08:00:00.000Z')
const periodEnd = new Date('2026-03-31T08:00:00.000Z')
const team: SubscriptionState = { plan: 'team', seats: 20, anchor, pending: null }
const business: SubscriptionState = { plan: 'business', seats: 60, anchor, pending: null }
const idOf = (code: string) => planOf(code).id

const request = (state: SubscriptionState, change: ChangeRequest, seatsUsed = 1) =>
  requestChange(state, change, { seatsUsed, now })

describe('requestChange', () => {
  it('begins the periods with the first plan that has a price', () => {
    const { state, changes } = request(initialState, { plan_id: idOf('team') })
    expect(state).toEqual({ plan: 'team', seats: 10, anchor: now, pending: null })
    const from = { plan: 'free', seats: 10 }
    expect(changes).toEqual([{ occurredAt: now, from, to: { plan: 'team', seats: 10 }, anchor: now }])
  })

  it.each<[string, SubscriptionState, ChangeRequest, number, object]>([
    ['a dearer plan', team, { plan_id: idOf('business') }, 1, { plan: 'business', seats: 50 }],
    ['more seats', team, { seats: 21 }, 1, { plan: 'team', seats: 21 }],
    [
      'a dearer plan with fewer seats',
      team,
      { plan_id: idOf('business'), seats: 50 },
      1,
      { plan: 'business', seats: 50 },
    ],
    [
      'a cheaper plan that is asked for now',
      business,
      { plan_id: idOf('team'), effective: 'now' },
      1,
      { plan: 'team', seats: 10 },
    ],
    ['seats in use beyond those included', team, { plan_id: idOf('business') }, 80, { plan: 'business', seats: 80 }],
  ])('changes at once to %s, with the anchor kept', (_, state, change, used, terms) => {
    const result = request(state, change, used)
    expect(result.state).toEqual({ ...terms, anchor, pending: null })
    expect(result.changes).toMatchObject([{ occurredAt: now, to: terms }])
  })

  it.each<[string, SubscriptionState, ChangeRequest, object]>([
    ['a cheaper plan', business, { plan_id: idOf('team') }, { plan: 'team', seats: 10 }],
    ['no plan with a price', business, { plan_id: idOf('free') }, { plan: 'free', seats: 10 }],
    ['fewer seats', team, { seats: 15 }, { plan: 'team', seats: 15 }],
    [
      'a dearer plan that is asked for then',
      team,
      { plan_id: idOf('business'), effective: 'period_end' },
      { plan: 'business', seats: 50 },
    ],
  ])('changes at the end of the period to %s', (_, state, change, terms) => {
    const result = request(state, change)
    expect(result).toEqual({ state: { ...state, pending: { ...terms, at: periodEnd } }, changes: [] })
  })

  it('replaces a pending change, and withdraws it with null or the current terms', () => {
    const { state } = request(business, { plan_id: idOf('team') })
    expect(request(state, { plan_id: idOf('free') }).state.pending?.plan).toBe('free')
    expect(request(state, { seats: 70 }).state).toEqual({ ...business, seats: 70 })
    expect(request(state, { pending_change: null }).state).toEqual(business)
    expect(request(state, { plan_id: idOf('business') }).state).toEqual(business)
    expect(request(state, {}).state).toEqual(state)
  })

  it.each<[string, ChangeRequest, number, string]>([
    ['an unknown plan', { plan_id: 'plan_01h455vb4pex5vsknk084sn02q' }, 1, '/plan_id'],
    ['fewer seats than the plan includes', { seats: 9 }, 1, '/seats'],
    ['more seats than the plan allows', { seats: 101 }, 1, '/seats'],
    ['fewer seats than are in use', { seats: 12 }, 13, '/seats'],
    ['a plan that allows fewer seats than are in use', { plan_id: idOf('free') }, 11, '/plan_id'],
  ])('rejects %s and names the field', (_, change, used, pointer) => {
    const attempt = () => request(team, change, used)
    expect(attempt).toThrow(Problem)
    expect(attempt).toThrow(expect.objectContaining({ errors: [expect.objectContaining({ pointer })] }))
  })
})

describe('applyDueChange', () => {
  const { state } = request(business, { plan_id: idOf('team') })

  it('changes nothing before the time', () => {
    expect(applyDueChange(state, new Date(periodEnd.getTime() - 1))).toEqual({ state, changes: [] })
  })

  it('applies the change as of its time, however late', () => {
    const { state: applied, changes } = applyDueChange(state, new Date('2026-06-01'))
    expect(applied).toEqual({ plan: 'team', seats: 10, anchor, pending: null })
    expect(changes).toMatchObject([{ occurredAt: periodEnd, from: { plan: 'business', seats: 60 } }])
    expect(applyDueChange(applied, new Date('2026-07-01')).changes).toEqual([])
  })
})

describe('limitsOf', () => {
  it('are those of the plan with the seats of the subscription', () => {
    expect(limitsOf(business)).toEqual({ ...planOf('business').limits, seats: 60 })
  })

  it('have the seats of a pending decrease at once, and of a pending increase later', () => {
    expect(limitsOf({ ...business, pending: { plan: 'team', seats: 10, at: periodEnd } }).seats).toBe(10)
    expect(limitsOf({ ...team, pending: { plan: 'business', seats: 50, at: periodEnd } }).seats).toBe(20)
  })
})
