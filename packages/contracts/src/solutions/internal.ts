import { quotaUsageEndpoint } from '../core/quota-usage.ts'

/** Endpoints of solutions for other services. */
export const solutionsInternal = { readQuotaUsage: quotaUsageEndpoint('solutions', 'solutions') }
