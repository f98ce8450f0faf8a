import type { auditInternal, Operation } from '@wp/contracts'
import { readQuotaUsage as readUsage } from '@wp/database'
import type { Context } from '../context.ts'
import { exportBytesQuota, queuedExportQuota } from '../store/quotas.ts'

export const readQuotaUsage: Operation<typeof auditInternal.readQuotaUsage, Context> = (
  { database },
  { workspaceId },
) =>
  database.read({ workspaceId }, async (_db, query) => ({
    quotas: await readUsage(query, workspaceId, [queuedExportQuota, exportBytesQuota]),
  }))
