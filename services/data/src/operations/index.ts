// Every operation of the service, by the name of its endpoint.
import type { dataInternal, Operation } from '@wp/contracts'
import { dailyQuota, readQuotaUsage as readUsage } from '@wp/database'
import type { Context } from '../context.ts'
import { recordQuota, sourceQuota, storedByteQuota } from '../store/quotas.ts'
import { syncQuota } from '../sync/sync-job.ts'

export * from './create-source.ts'
export * from './delete-record.ts'
export * from './delete-records.ts'
export * from './delete-source.ts'
export * from './embedding.ts'
export * from './health.ts'
export * from './preview.ts'
export * from './read-records.ts'
export * from './read-rows.ts'
export * from './read-sources.ts'
export * from './row-feeds.ts'
export * from './search.ts'
export * from './search-records.ts'
export * from './start-sync.ts'
export * from './syncs.ts'
export * from './update-source.ts'
export * from './upload-records.ts'

export const readQuotaUsage: Operation<typeof dataInternal.readQuotaUsage, Context> = (
  { database, now },
  { workspaceId },
) => {
  const uploads = dailyQuota('uploaded_bytes_per_day', now())
  return database.read({ workspaceId }, async (_db, query) => ({
    quotas: await readUsage(query, workspaceId, [sourceQuota, recordQuota, storedByteQuota, uploads, syncQuota]),
  }))
}
