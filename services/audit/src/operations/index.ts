import type { audit, auditDocs, auditInternal, Operations } from '@wp/contracts'
import type { Context } from '../context.ts'
import { cancelDoc, getDoc, listDocs, startDoc } from './docs.ts'
import { getDocContent } from './get-doc-content.ts'
import { getLog, listLogs } from './read-logs.ts'
import { readQuotaUsage } from './read-quota-usage.ts'
import { keySet, readHead, verifyLogs } from './verification.ts'

export const operations = { listLogs, verifyLogs, readHead, keySet, getLog } satisfies Operations<typeof audit, Context>

export const docOperations = { listDocs, startDoc, getDoc, getDocContent, cancelDoc } satisfies Operations<
  typeof auditDocs,
  Context
>

export const internalOperations = { readQuotaUsage } satisfies Operations<typeof auditInternal, Context>
