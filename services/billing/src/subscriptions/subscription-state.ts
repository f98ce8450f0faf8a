import type { PlanLimits } from '@wp/contracts'
import { freePlan, monthlyPrice, planOf } from '../plans.ts'
import { calendarAnchor, periodAt } from './period.ts'
import type { Terms, TermsChange } from './proration.ts'

/** A change of the terms that takes effect at the end of a period. */
export interface PendingTerms extends Terms {
  at: Date
}

/** The terms of a workspace, and what is to become of them. */
export interface SubscriptionState extends Terms {
  /** See `periodAt`. The calendar anchor until the first plan with a price; never changed after it. */
  anchor: Date
  pending: PendingTerms | null
}

/** A state, and the changes that led to it, oldest first. */
export interface Transition {
  state: SubscriptionState
  changes: (TermsChange & { anchor: Date })[]
}

/** The state of a workspace that never subscribed. */
export const initialState: SubscriptionState = {
  plan: freePlan.code,
  seats: freePlan.included_seats,
  anchor: calendarAnchor,
  pending: null,
}

/** Applies the pending change if its time has come. The change occurs at that time, however late it is applied. */
export function applyDueChange(state: SubscriptionState, now: Date): Transition {
  const { pending } = state
  return pending === null || pending.at > now ? { state, changes: [] } : changeTerms(state, pending, pending.at)
}

/** Changes the terms at a time, and withdraws the pending change. */
export function changeTerms(state: SubscriptionState, { plan, seats }: Terms, at: Date): Transition {
  const isFirstPrice = state.anchor.getTime() === calendarAnchor.getTime() && monthlyPrice(planOf(plan), seats) > 0
  const anchor = isFirstPrice ? at : state.anchor
  const next = { plan, seats, anchor, pending: null }
  if (plan === state.plan && seats === state.seats) return { state: next, changes: [] }
  const from = { plan: state.plan, seats: state.seats }
  return { state: next, changes: [{ occurredAt: at, from, to: { plan, seats }, anchor }] }
}

/** Schedules a change of the terms for the end of the current period, in place of the pending one. */
export function scheduleTerms(state: SubscriptionState, { plan, seats }: Terms, now: Date): Transition {
  const isChange = plan !== state.plan || seats !== state.seats
  const pending = isChange ? { plan, seats, at: periodAt(state.anchor, now).end } : null
  return { state: { ...state, pending }, changes: [] }
}

/**
 * Returns the limits of a state. A pending decrease of the seats counts at once: otherwise users could be invited until
 * it takes effect, for whom there are no seats then.
 */
export function limitsOf({ plan, seats, pending }: SubscriptionState): PlanLimits {
  return { ...planOf(plan).limits, seats: Math.min(seats, pending?.seats ?? seats) }
}
