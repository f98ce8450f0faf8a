import type { dataInternal, Operation } from '@wp/contracts'
import { dailyQuota, readQuotaUsage as readUsage } from '@wp/database'
import type { Context } from '../context.ts'
import { recordQuota, sourceQuota, storedByteQuota } from '../store/quotas.ts'
import { syncQuota } from '../sync/sync-job.ts'

export const readQuotaUsage: Operation<typeof dataInternal.readQuotaUsage, Context> = (
  { database, now },
  { workspaceId },
) => {
  const uploads = dailyQuota('uploaded_bytes_per_day', now())
  return database.read({ workspaceId }, async (_db, query) => ({
    quotas: await readUsage(query, workspaceId, [sourceQuota, recordQuota, storedByteQuota, uploads, syncQuota]),
  }))
}
