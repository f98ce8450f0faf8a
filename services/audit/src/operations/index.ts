// Every operation of the service, by the name of its endpoint.
import { quotaUsageOperation } from '@wp/database'
import { exportBytesQuota, queuedExportQuota } from '../store/quotas.ts'

export * from './docs.ts'
export * from './get-doc-content.ts'
export * from './read-logs.ts'
export * from './verification.ts'

export const readQuotaUsage = quotaUsageOperation(queuedExportQuota, exportBytesQuota)
