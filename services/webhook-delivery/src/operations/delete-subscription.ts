import type { Operation } from '../context.ts'
import { removeSubscription } from '../store/subscriptions/subscriptions.ts'

export const deleteSubscription: Operation<'deleteSubscription'> = ({ database }, caller, { params }) =>
  database.transact(caller, async (tx) => {
    await removeSubscription(tx, caller, params.webhook_id)
    return { id: params.webhook_id }
  })
