import { quotaUsageEndpoint } from '../core/quota/quota-usage.ts'

/** Endpoints of the audit service for other services. */
export const auditInternal = { readQuotaUsage: quotaUsageEndpoint('audit', 'audit') }
