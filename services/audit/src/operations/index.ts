import { quotaUsageOperation } from '@wp/database'
import { exportBytesQuota, queuedExportQuota } from '../store/quotas.ts'

// Every operation by the name of its endpoint. `bindSurface` does not compile while one is missing.
export { cancelDoc, getDoc, listDocs, startDoc } from './docs.ts'
export { findPosition, listHeads, readRecordsAfter } from './forwarding.ts'
export { getDocContent } from './get-doc-content.ts'
export { getLog, listLogs } from './read-logs.ts'
export { listRequests, listRequestUsage, recordRequests } from './requests.ts'
export { keySet, readHead, verifyLogs } from './verification.ts'

export const readQuotaUsage = quotaUsageOperation(queuedExportQuota, exportBytesQuota)
