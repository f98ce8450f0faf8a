import type { data, dataInternal, dataSearch, Operations } from '@wp/contracts'
import { dailyQuota, readQuotaUsage as readUsage } from '@wp/database'
import { reportHealth } from '@wp/service'
import type { Context, Operation } from '../context.ts'
import { recordQuota, sourceQuota, storedByteQuota } from '../store/quotas.ts'
import { syncQuota } from '../sync/sync-job.ts'
import { createSource } from './create-source.ts'
import { deleteRecord, deleteRecords } from './delete-records.ts'
import { getEmbedding, updateEmbedding } from './embedding.ts'
import { preview } from './preview.ts'
import { getRecord, listRecords } from './read-records.ts'
import { readRows, readUnrestrictedRows } from './read-rows.ts'
import { closeRowFeed, openRowFeed, readRowFeed } from './row-feeds.ts'
import { search, searchRecords } from './search.ts'
import { deleteSource, getSource, listSources } from './sources.ts'
import { startSync } from './start-sync.ts'
import { cancelSync, getSync, listSyncs } from './syncs.ts'
import { updateSource } from './update-source.ts'
import { uploadRecords } from './upload-records.ts'

const readQuotaUsage: Operation<'readQuotaUsage'> = ({ database, now }, { workspaceId }) => {
  const uploads = dailyQuota('uploaded_bytes_per_day', now())
  return database.read({ workspaceId }, async (_db, query) => ({
    quotas: await readUsage(query, workspaceId, [sourceQuota, recordQuota, storedByteQuota, uploads, syncQuota]),
  }))
}

export const operations = {
  health: reportHealth,
  listSources,
  createSource,
  getSource,
  updateSource,
  deleteSource,
  uploadRecords,
  preview,
  startSync,
  listSyncs,
  getSync,
  cancelSync,
  listRecords,
  getRecord,
  deleteRecord,
  deleteRecords,
} satisfies Operations<typeof data, Context>

export const searchOperations = { getEmbedding, updateEmbedding, search, searchRecords } satisfies Operations<
  typeof dataSearch,
  Context
>

export const internalOperations = {
  readQuotaUsage,
  readRows,
  readUnrestrictedRows,
  openRowFeed,
  readRowFeed,
  closeRowFeed,
} satisfies Operations<typeof dataInternal, Context>
