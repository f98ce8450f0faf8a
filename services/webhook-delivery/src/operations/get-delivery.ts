import type { Operation, webhooks } from '@wp/contracts'
import type { Context } from '../context.ts'
import { findDelivery } from '../store/deliveries/deliveries.ts'
import { deliveryDetail } from '../views.ts'

export const getDelivery: Operation<typeof webhooks.getDelivery, Context> = async (
  { database, now },
  { workspaceId },
  { params },
) =>
  deliveryDetail(await database.read({ workspaceId }, (db) => findDelivery(db, workspaceId, params.request_id)), now())
