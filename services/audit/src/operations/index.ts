import type { audit, auditDocs, auditInternal, auditRequests, Operations } from '@wp/contracts'
import { quotaUsageOperation } from '@wp/database'
import type { Context } from '../context.ts'
import { exportBytesQuota, queuedExportQuota } from '../store/quotas.ts'
import { cancelDoc, getDoc, listDocs, startDoc } from './docs.ts'
import { findPosition, listHeads, readRecordsAfter } from './forwarding.ts'
import { getDocContent } from './get-doc-content.ts'
import { getLog, listLogs } from './read-logs.ts'
import { listRequests, listRequestUsage, recordRequests } from './requests.ts'
import { keySet, readHead, verifyLogs } from './verification.ts'

export const operations = { listLogs, verifyLogs, readHead, keySet, getLog } satisfies Operations<typeof audit, Context>

export const requestOperations = { listRequests, listRequestUsage } satisfies Operations<typeof auditRequests, Context>

export const docOperations = { listDocs, startDoc, getDoc, getDocContent, cancelDoc } satisfies Operations<
  typeof auditDocs,
  Context
>

export const internalOperations = {
  readQuotaUsage: quotaUsageOperation(queuedExportQuota, exportBytesQuota),
  recordRequests,
  readRecordsAfter,
  findPosition,
  listHeads,
} satisfies Operations<typeof auditInternal, Context>
