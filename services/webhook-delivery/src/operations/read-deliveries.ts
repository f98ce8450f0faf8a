import { mapPage } from '@wp/database'
import type { Operation } from '../context.ts'
import { readCustomerRules, replayedKinds, requireDelivered } from '../portal/customer-rules.ts'
import { findDeliveries, findDelivery } from '../store/deliveries/deliveries.ts'
import { countReplayable } from '../store/deliveries/replayable-deliveries.ts'
import { findSubscription } from '../store/subscriptions/subscriptions.ts'
import { deliveryDetail, deliveryView } from '../views.ts'

export const getDelivery: Operation<'getDelivery'> = async (context, caller, { params }) => {
  const { database, now } = context
  const row = await database.read(caller, async (db) => {
    const rules = await readCustomerRules(db, context, caller)
    return requireDelivered(await findDelivery(db, caller, params.request_id), rules)
  })
  return deliveryDetail(row, now())
}

export const listDeliveries: Operation<'listDeliveries'> = async (context, caller, { params, query }) => {
  const { database, now } = context
  const page = await database.read(caller, async (db) => {
    const rules = await readCustomerRules(db, context, caller)
    const { webhookId } = await findSubscription(db, caller, params.webhook_id)
    return findDeliveries(db, caller.workspaceId, { ...query, webhookId, kinds: rules?.deliveredKinds })
  })
  return mapPage(page, (row) => deliveryView(row, now()))
}

export const listAllDeliveries: Operation<'listAllDeliveries'> = async ({ database, now }, caller, { query }) => {
  const filter = { ...query, webhookId: query.webhook_id, eventId: query.event_id }
  const page = await database.read(caller, (db) => findDeliveries(db, caller.workspaceId, filter))
  return mapPage(page, (row) => deliveryView(row, now()))
}

export const countDeliveries: Operation<'countDeliveries'> = (context, caller, { params, query: range }) =>
  context.database.read(caller, async (db, query) => {
    const rules = await readCustomerRules(db, context, caller)
    const { webhookId } = await findSubscription(db, caller, params.webhook_id)
    return {
      webhook_id: webhookId,
      ...(await countReplayable(query, webhookId, { ...range, ...replayedKinds(rules) })),
    }
  })
