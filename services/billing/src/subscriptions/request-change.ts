import { type ChangeTime, invalidField, type Plan } from '@wp/contracts'
import { findPlan, monthlyPrice, planOf } from '../plans.ts'
import { changeTerms, type SubscriptionState, scheduleTerms, type Transition } from './subscription-state.ts'

/** A change of plan or seats, as it was asked for. */
export interface ChangeRequest {
  plan_id?: string | undefined
  seats?: number | undefined
  effective?: ChangeTime | undefined
  /** Null withdraws the pending change. */
  pending_change?: null | undefined
}

/**
 * Applies a request to a state whose due change has been applied.
 *
 * @param seatsUsed members and pending invitations
 * @throws Problem `validation_failed` or `unknown_reference` naming the field
 */
export function requestChange(
  state: SubscriptionState,
  request: ChangeRequest,
  { seatsUsed, now }: { seatsUsed: number; now: Date },
): Transition {
  const { plan_id: planId, seats: wantedSeats, effective, pending_change: withdrawn } = request
  if (planId === undefined && wantedSeats === undefined)
    return { state: withdrawn === null ? { ...state, pending: null } : state, changes: [] }
  const plan = planId === undefined ? planOf(state.plan) : requirePlan(planId)
  const isSamePlan = plan.code === state.plan
  const seats = wantedSeats ?? (isSamePlan ? state.seats : Math.max(plan.included_seats, seatsUsed))
  checkSeats(plan, seats, seatsUsed, wantedSeats === undefined ? '/plan_id' : '/seats')
  const terms = { plan: plan.code, seats }
  const isDearer = monthlyPrice(plan, seats) > monthlyPrice(planOf(state.plan), state.seats)
  const time = effective ?? (isDearer ? 'now' : 'period_end')
  return time === 'now' ? changeTerms(state, terms, now) : scheduleTerms(state, terms, now)
}

function requirePlan(id: string): Plan {
  const plan = findPlan(id)
  if (plan === undefined)
    throw invalidField('/plan_id', 'is not a plan: see GET /v1/billing/plans', 'unknown_reference')
  return plan
}

function checkSeats({ name, included_seats, limits }: Plan, seats: number, used: number, pointer: string): void {
  if (used > limits.seats)
    throw invalidField(
      pointer,
      `allows at most ${limits.seats} seats on the plan ${name}, and ${used} are in use: remove users or invitations first`,
    )
  if (seats < included_seats || seats > limits.seats)
    throw invalidField(pointer, `must be from ${included_seats} to ${limits.seats} on the plan ${name}`)
  if (seats < used)
    throw invalidField(pointer, `must be at least the ${used} in use: remove users or invitations first`)
}
