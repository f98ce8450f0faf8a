import type { billingSubscription, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { findSubscription } from '../store/subscriptions.ts'
import { subscriptionView } from '../subscriptions/views.ts'

/** Reads the subscription. A workspace without one has the plan `free`. */
export const getSubscription: Operation<typeof billingSubscription.getSubscription, Context> = async (
  { database, now },
  caller,
) => {
  const row = await database.read(caller, (_db, query) => findSubscription(query, caller.workspaceId))
  return subscriptionView(caller.workspaceId, row, new Date(now()))
}
