import { quotaUsageOperation } from '@wp/database'
import { replayQuota } from '../delivery/replay.ts'
import { destinationQuota } from '../store/destinations/destinations.ts'
import { portalLinkQuota } from '../store/portal-links.ts'
import { receiverQuota } from '../store/receivers.ts'
import { subscriptionQuota } from '../store/subscriptions/insert-subscription.ts'

// Every operation by the name of its endpoint. `bindSurface` does not compile while one is missing.
export { createSubscription } from './create-subscription.ts'
export { createDestination } from './destinations/create-destination.ts'
export { deleteDestination, getDestination, listDestinations } from './destinations/destinations.ts'
export { replayDestination } from './destinations/replay-destination.ts'
export { testDestination } from './destinations/test-destination.ts'
export { updateDestination } from './destinations/update-destination.ts'
export { getStatistics } from './get-statistics.ts'
export { listEventKinds } from './list-event-kinds.ts'
export { pollDeliveries } from './poll-deliveries.ts'
export { createPortalLink, getPortalLink, listPortalLinks, readPortalPage, revokePortalLink } from './portal-links.ts'
export { countDeliveries, getDelivery, listAllDeliveries, listDeliveries } from './read-deliveries.ts'
export {
  createReceiver,
  deleteReceiver,
  getReceiver,
  listReceivedRequests,
  listReceivers,
  receive,
} from './receivers.ts'
export { cancelReplay, getReplay, startReplay } from './replays.ts'
export { resendDelivery } from './resend-delivery.ts'
export { sendTest } from './send-test.ts'
export { getSecret, rotateSecret } from './signing-secret.ts'
export { deleteSubscription, getSubscription, listSubscriptions } from './subscriptions.ts'
export { updateSubscription } from './update-subscription.ts'

export const readQuotaUsage = quotaUsageOperation(
  ...[subscriptionQuota, receiverQuota, portalLinkQuota, destinationQuota, replayQuota],
)
