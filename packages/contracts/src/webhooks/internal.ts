import { servedBy } from '../core/endpoint.ts'
import { quotaUsageEndpoint } from '../core/quota-usage.ts'

/** Endpoints of webhook delivery for other services. */
export const webhooksInternal = servedBy('webhook-delivery', {
  readQuotaUsage: quotaUsageEndpoint('webhooks', 'webhook-delivery'),
})
