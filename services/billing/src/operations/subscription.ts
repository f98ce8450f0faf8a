import { authInternal, type BillingSubscription } from '@wp/contracts'
import { paginateCatalogue } from '@wp/database'
import type { Operation } from '../context.ts'
import { planOf, plans } from '../plans.ts'
import { findSubscription, insertOrLockSubscription, type SubscriptionRow } from '../store/subscriptions.ts'
import { periodAt } from '../subscriptions/period.ts'
import { requestChange } from '../subscriptions/request-change.ts'
import { saveTransition } from '../subscriptions/save-transition.ts'
import { subscriptionIdOf, toColumns, toState } from '../subscriptions/subscription-record.ts'
import { applyDueChange, initialState } from '../subscriptions/subscription-state.ts'

/** Changes plan or seats, now or at the end of the period. */
export const updateSubscription: Operation<'updateSubscription'> = async (
  { database, internal, now: clock },
  caller,
  { body },
) => {
  const { workspaceId, shard } = caller
  const now = new Date(clock())
  // Before the transaction: no service is called inside one.
  const isChange = body.plan_id !== undefined || body.seats !== undefined
  const seatsUsed = isChange
    ? (await internal.callForCaller(caller, 'billing:write', authInternal.readSeatUsage, {})).used
    : 0
  return await database.transact(caller, async (tx) => {
    const first = { id: subscriptionIdOf(workspaceId), workspaceId, shard, ...toColumns(initialState) }
    const row = await insertOrLockSubscription(tx.query, first, now)
    const due = applyDueChange(toState(row), now)
    const requested = requestChange(due.state, body, { seatsUsed, now })
    const changes = [...due.changes, ...requested.changes]
    const saved = await saveTransition(tx, row, { state: requested.state, changes }, now)
    const { plan, seats, pending } = requested.state
    tx.audit({
      changes: { plan, seats, pending_change: pending === null ? null : { ...pending, at: pending.at.toISOString() } },
    })
    return subscriptionView(workspaceId, saved, now)
  })
}

/** Reads the subscription. A workspace without one has the plan `free`. */
export const getSubscription: Operation<'getSubscription'> = async ({ database, now }, caller) => {
  const row = await database.read(caller, (_db, query) => findSubscription(query, caller.workspaceId))
  return subscriptionView(caller.workspaceId, row, new Date(now()))
}

export const listPlans: Operation<'listPlans'> = async (_context, _caller, { query }) =>
  paginateCatalogue(plans, query, ({ id }) => id)

/** Returns the subscription as it is at a time. A due change that no worker has applied yet is shown as applied. */
function subscriptionView(workspaceId: string, row: SubscriptionRow | undefined, now: Date): BillingSubscription {
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
