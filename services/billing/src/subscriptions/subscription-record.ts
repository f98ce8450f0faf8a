import type { SubscriptionRow } from '../store/subscriptions.ts'
import { initialState, type SubscriptionState } from './subscription-state.ts'

/** The fields of a row that hold the state. */
export type StateColumns = Pick<
  SubscriptionRow,
  'planCode' | 'seats' | 'anchorAt' | 'pendingPlanCode' | 'pendingSeats' | 'pendingAt'
>

/** Returns the state in a row; the initial one without a row. */
export function toState(row: StateColumns | undefined): SubscriptionState {
  if (row === undefined) return initialState
  const { planCode: plan, seats, anchorAt: anchor, pendingPlanCode, pendingSeats, pendingAt } = row
  const hasPending = pendingPlanCode !== null && pendingSeats !== null && pendingAt !== null
  const pending = hasPending ? { plan: pendingPlanCode, seats: pendingSeats, at: pendingAt } : null
  return { plan, seats, anchor, pending }
}

/** Returns the columns that hold a state. */
export const toColumns = ({ plan, seats, anchor, pending }: SubscriptionState): StateColumns => ({
  planCode: plan,
  seats,
  anchorAt: anchor,
  pendingPlanCode: pending?.plan ?? null,
  pendingSeats: pending?.seats ?? null,
  pendingAt: pending?.at ?? null,
})

/**
 * Returns the id of the subscription of a workspace. A workspace has one from the beginning, so the id is derived from
 * that of the workspace.
 */
export const subscriptionIdOf = (workspaceId: string): string => workspaceId.replace(/^ws_/, 'sub_')
