// Every operation of the service, by the name of its endpoint.
import { quotaUsageOperation } from '@wp/database'
import { replayQuota } from '../replays/replay.ts'
import { subscriptionQuota } from '../store/subscriptions/insert-subscription.ts'

export * from './create-subscription.ts'
export * from './delete-subscription.ts'
export * from './get-statistics.ts'
export * from './list-event-kinds.ts'
export * from './poll-deliveries.ts'
export * from './read-deliveries.ts'
export * from './read-subscriptions.ts'
export * from './replays.ts'
export * from './resend-delivery.ts'
export * from './send-test.ts'
export * from './signing-secret.ts'
export * from './update-subscription.ts'

export const readQuotaUsage = quotaUsageOperation(subscriptionQuota, replayQuota)
