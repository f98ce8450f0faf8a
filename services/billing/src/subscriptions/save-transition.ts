import { isDeepStrictEqual } from 'node:util'
import { planLimitsChanged } from '@wp/contracts'
import type { Transaction } from '@wp/database'
import { planOf } from '../plans.ts'
import { insertPlanChange, type SubscriptionRow, storeSentLimits, updateSubscription } from '../store/subscriptions.ts'
import { requestUsageChecks, usageCheckQueue } from '../store/usage-checks.ts'
import { toColumns, toState } from './subscription-record.ts'
import { initialState, limitsOf, type SubscriptionState, type Transition } from './subscription-state.ts'

type Tx = Pick<Transaction, 'query' | 'emit' | 'emitInternal' | 'wake'>

/**
 * Stores the new state of a locked subscription with the history of its changes, and tells the other services: of the
 * plan if it changed, and of the limits if they did.
 *
 * @returns the row as it is stored
 */
export async function saveTransition(
  tx: Tx,
  row: SubscriptionRow,
  { state, changes }: Transition,
  now: Date,
): Promise<SubscriptionRow> {
  const before = toState(row)
  if (isDeepStrictEqual(before, state) && changes.length === 0) return row
  const saved = { ...row, ...toColumns(state), updatedAt: now }
  await updateSubscription(tx.query, saved)
  for (const { occurredAt, from, to, anchor } of changes) {
    await insertPlanChange(tx.query, {
      workspaceId: row.workspaceId,
      occurredAt,
      anchorAt: anchor,
      fromPlan: from.plan,
      fromSeats: from.seats,
      toPlan: to.plan,
      toSeats: to.seats,
    })
    if (from.plan !== to.plan)
      tx.emit({
        kind: 'PLAN_CHANGED',
        data: { id: row.id, status: 'active', plan_id: planOf(to.plan).id, plan: to.plan },
      })
  }
  // The new plan may include more use, or less.
  await requestUsageChecks(tx.query, row.shard, [row.workspaceId])
  tx.wake(usageCheckQueue)
  if (isDeepStrictEqual(sentLimitsOf(state), row.sentLimits ?? sentLimitsOf(initialState))) return saved
  return await sendLimits(tx, saved, { effectiveAt: changes.at(-1)?.occurredAt ?? now, now })
}

/**
 * Sends the limits of a locked subscription to the services. The version increases if they differ from those last sent,
 * also by a change of the catalogue; services ignore a version that they have.
 */
export async function sendLimits(
  tx: Pick<Tx, 'query' | 'emitInternal'>,
  row: SubscriptionRow,
  { effectiveAt, now }: { effectiveAt: Date; now: Date },
): Promise<SubscriptionRow> {
  const sentLimits = sentLimitsOf(toState(row))
  const isChange = !isDeepStrictEqual(sentLimits, row.sentLimits)
  const sent = { ...row, sentLimits, limitsVersion: row.limitsVersion + (isChange ? 1 : 0) }
  tx.emitInternal(planLimitsChanged, {
    ...sentLimits,
    version: sent.limitsVersion,
    effective_at: effectiveAt.toISOString(),
  })
  await storeSentLimits(tx.query, sent, now)
  return sent
}

const sentLimitsOf = (state: SubscriptionState) => ({ plan: state.plan, limits: limitsOf(state) })
