import { quotaUsageEndpoint } from '../core/quota/quota-usage.ts'

/** Endpoints of solutions for other services. */
export const solutionsInternal = { readQuotaUsage: quotaUsageEndpoint('solutions', 'solutions') }
