import { dailyQuota, readQuotaUsage as readUsage } from '@wp/database'
import type { Operation } from '../context.ts'
import { recordQuota, sourceQuota, storedByteQuota } from '../store/quotas.ts'
import { syncQuota } from '../sync/sync-job.ts'

// Every operation by the name of its endpoint. `bindSurface` does not compile while one is missing.
export { reportHealth as health } from '@wp/service'
export { createSource } from './create-source.ts'
export { deleteRecord, deleteRecords } from './delete-records.ts'
export { getEmbedding, updateEmbedding } from './embedding.ts'
export { preview } from './preview.ts'
export { getRecord, listRecords } from './read-records.ts'
export { readRows, readUnrestrictedRows } from './read-rows.ts'
export { closeRowFeed, openRowFeed, readRowFeed } from './row-feeds.ts'
export { search, searchRecords } from './search.ts'
export { deleteSource, getSource, listSources } from './sources.ts'
export { startSync } from './start-sync.ts'
export { cancelSync, getSync, listSyncs } from './syncs.ts'
export { updateSource } from './update-source.ts'
export { uploadRecords } from './upload-records.ts'

export const readQuotaUsage: Operation<'readQuotaUsage'> = ({ database, now }, { workspaceId }) => {
  const uploads = dailyQuota('uploaded_bytes_per_day', now())
  return database.read({ workspaceId }, async (_db, query) => ({
    quotas: await readUsage(query, workspaceId, [sourceQuota, recordQuota, storedByteQuota, uploads, syncQuota]),
  }))
}
