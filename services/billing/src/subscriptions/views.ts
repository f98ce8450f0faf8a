import type { BillingSubscription } from '@wp/contracts'
import { planOf } from '../plans.ts'
import type { SubscriptionRow } from '../store/subscriptions.ts'
import { periodAt } from './period.ts'
import { subscriptionIdOf, toState } from './subscription-record.ts'
import { applyDueChange } from './subscription-state.ts'

/** Returns the subscription as it is at a time. A due change that no worker has applied yet is shown as applied. */
export function subscriptionView(
  workspaceId: string,
  row: SubscriptionRow | undefined,
  now: Date,
): BillingSubscription {
  const { plan, seats, anchor, pending } = applyDueChange(toState(row), now).state
  const { start, end } = periodAt(anchor, now)
  return {
    id: subscriptionIdOf(workspaceId),
    workspace_id: workspaceId,
    plan_id: planOf(plan).id,
    plan,
    status: 'active',
    seats,
    current_period_start: start.toISOString(),
    current_period_end: end.toISOString(),
    pending_change:
      pending === null
        ? null
        : {
            plan_id: planOf(pending.plan).id,
            plan: pending.plan,
            seats: pending.seats,
            effective_at: pending.at.toISOString(),
          },
    created_at: row?.createdAt.toISOString() ?? null,
    updated_at: row?.updatedAt.toISOString() ?? null,
  }
}
