import { servedBy } from '../core/endpoint/endpoint.ts'
import { quotaUsageEndpoint } from '../core/quota/quota-usage.ts'

/** Endpoints of webhook delivery for other services. */
export const webhooksInternal = servedBy('webhook-delivery', {
  readQuotaUsage: quotaUsageEndpoint('webhooks', 'webhook-delivery'),
})
