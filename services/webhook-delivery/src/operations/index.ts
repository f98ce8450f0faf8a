import type {
  eventDestinations,
  Operations,
  webhookPortalLinks,
  webhookReceivers,
  webhooks,
  webhooksInternal,
} from '@wp/contracts'
import { quotaUsageOperation } from '@wp/database'
import type { Context } from '../context.ts'
import { replayQuota } from '../replays/replay.ts'
import { destinationQuota } from '../store/destinations/destinations.ts'
import { portalLinkQuota } from '../store/portal-links.ts'
import { receiverQuota } from '../store/receivers.ts'
import { subscriptionQuota } from '../store/subscriptions/insert-subscription.ts'
import { createSubscription } from './create-subscription.ts'
import { createDestination } from './destinations/create-destination.ts'
import { deleteDestination, getDestination, listDestinations } from './destinations/destinations.ts'
import { replayDestination } from './destinations/replay-destination.ts'
import { testDestination } from './destinations/test-destination.ts'
import { updateDestination } from './destinations/update-destination.ts'
import { getStatistics } from './get-statistics.ts'
import { listEventKinds } from './list-event-kinds.ts'
import { pollDeliveries } from './poll-deliveries.ts'
import { createPortalLink, getPortalLink, listPortalLinks, readPortalPage, revokePortalLink } from './portal-links.ts'
import { countDeliveries, getDelivery, listAllDeliveries, listDeliveries } from './read-deliveries.ts'
import {
  createReceiver,
  deleteReceiver,
  getReceiver,
  listReceivedRequests,
  listReceivers,
  receive,
} from './receivers.ts'
import { cancelReplay, getReplay, startReplay } from './replays.ts'
import { resendDelivery } from './resend-delivery.ts'
import { sendTest } from './send-test.ts'
import { getSecret, rotateSecret } from './signing-secret.ts'
import { deleteSubscription, getSubscription, listSubscriptions } from './subscriptions.ts'
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

/** Operations of test receivers. */
export const receiverOperations = {
  listReceivers,
  createReceiver,
  getReceiver,
  deleteReceiver,
  listReceivedRequests,
  receive,
} satisfies Operations<typeof webhookReceivers, Context>

/** Operations of portal links. */
export const portalLinkOperations = {
  listPortalLinks,
  createPortalLink,
  getPortalLink,
  revokePortalLink,
} satisfies Operations<typeof webhookPortalLinks, Context>

/** Operations of event destinations. */
export const destinationOperations = {
  listDestinations,
  createDestination,
  getDestination,
  updateDestination,
  deleteDestination,
  testDestination,
  replayDestination,
} satisfies Operations<typeof eventDestinations, Context>

/** Operations for other services. */
export const internalOperations = {
  readQuotaUsage: quotaUsageOperation(subscriptionQuota, receiverQuota, portalLinkQuota, destinationQuota, replayQuota),
  readPortalPage,
} satisfies Operations<typeof webhooksInternal, Context>
