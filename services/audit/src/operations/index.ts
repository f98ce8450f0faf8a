import type { audit, auditDocs, auditInternal, Operations } from '@wp/contracts'
import type { Context } from '../context.ts'
import { cancelDoc } from './cancel-doc.ts'
import { getDoc } from './get-doc.ts'
import { getDocContent } from './get-doc-content.ts'
import { getLog } from './get-log.ts'
import { keySet } from './key-set.ts'
import { listDocs } from './list-docs.ts'
import { listLogs } from './list-logs.ts'
import { readHead } from './read-head.ts'
import { readQuotaUsage } from './read-quota-usage.ts'
import { startDoc } from './start-doc.ts'
import { verifyLogs } from './verify-logs.ts'

export const operations = { listLogs, verifyLogs, readHead, keySet, getLog } satisfies Operations<typeof audit, Context>

export const docOperations = { listDocs, startDoc, getDoc, getDocContent, cancelDoc } satisfies Operations<
  typeof auditDocs,
  Context
>

export const internalOperations = { readQuotaUsage } satisfies Operations<typeof auditInternal, Context>
