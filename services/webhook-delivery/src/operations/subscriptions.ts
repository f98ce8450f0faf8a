import { mapPage } from '@wp/database'
import type { Operation } from '../context.ts'
import { subscriptionViewFor } from '../portal/portal-views.ts'
import { findSubscription, findSubscriptions, removeSubscription } from '../store/subscriptions/subscriptions.ts'

export const getSubscription: Operation<'getSubscription'> = async (
  { database, attemptCounts },
  caller,
  { params },
) => {
  await attemptCounts.flush()
  return subscriptionViewFor(
    caller,
    await database.read(caller, (db) => findSubscription(db, caller, params.webhook_id)),
  )
}

export const listSubscriptions: Operation<'listSubscriptions'> = async (
  { database, attemptCounts },
  caller,
  { query },
) => {
  await attemptCounts.flush()
  // A customer does not see these fields, so must not search in them.
  const filter = caller.customerId === undefined ? query : { ...query, metadata: undefined, external_id: undefined }
  const page = await database.read(caller, (db) => findSubscriptions(db, caller, filter))
  return mapPage(page, (row) => subscriptionViewFor(caller, row))
}

export const deleteSubscription: Operation<'deleteSubscription'> = ({ database }, caller, { params }) =>
  database.transact(caller, async (tx) => {
    await removeSubscription(tx, caller, params.webhook_id)
    return { id: params.webhook_id }
  })
