import type { Operations, webhooks, webhooksInternal } from '@wp/contracts'
import type { Context } from '../context.ts'
import { cancelReplay } from './cancel-replay.ts'
import { countDeliveries } from './count-deliveries.ts'
import { createSubscription } from './create-subscription.ts'
import { deleteSubscription } from './delete-subscription.ts'
import { getDelivery } from './get-delivery.ts'
import { getReplay } from './get-replay.ts'
import { getSecret } from './get-secret.ts'
import { getStatistics } from './get-statistics.ts'
import { getSubscription } from './get-subscription.ts'
import { listAllDeliveries } from './list-all-deliveries.ts'
import { listDeliveries } from './list-deliveries.ts'
import { listEventKinds } from './list-event-kinds.ts'
import { listSubscriptions } from './list-subscriptions.ts'
import { pollDeliveries } from './poll-deliveries.ts'
import { readQuotaUsage } from './read-quota-usage.ts'
import { resendDelivery } from './resend-delivery.ts'
import { rotateSecret } from './rotate-secret.ts'
import { sendTest } from './send-test.ts'
import { startReplay } from './start-replay.ts'
import { updateSubscription } from './update-subscription.ts'

/** Operations by endpoint. */
export const operations = {
  listSubscriptions,
  createSubscription,
  getSubscription,
  updateSubscription,
  deleteSubscription,
  getSecret,
  rotateSecret,
  sendTest,
  listDeliveries,
  pollDeliveries,
  listEventKinds,
  getDelivery,
  resendDelivery,
  listAllDeliveries,
  countDeliveries,
  getStatistics,
  startReplay,
  getReplay,
  cancelReplay,
} satisfies Operations<typeof webhooks, Context>

/** Operations for other services. */
export const internalOperations = { readQuotaUsage } satisfies Operations<typeof webhooksInternal, Context>
