import { quotaUsageEndpoint } from '../core/quota/quota-usage.ts'

/** Endpoints of ai for other services. */
export const aiInternal = {
  readQuotaUsage: quotaUsageEndpoint('ai', 'ai'),
}
