import type { data, dataInternal, dataSearch, Operations } from '@wp/contracts'
import type { Context } from '../context.ts'
import { cancelSync } from './cancel-sync.ts'
import { createSource } from './create-source.ts'
import { deleteRecord } from './delete-record.ts'
import { deleteRecords } from './delete-records.ts'
import { deleteSource } from './delete-source.ts'
import { getEmbedding } from './get-embedding.ts'
import { getRecord } from './get-record.ts'
import { getSource } from './get-source.ts'
import { getSync } from './get-sync.ts'
import { health } from './health.ts'
import { listRecords } from './list-records.ts'
import { listSources } from './list-sources.ts'
import { listSyncs } from './list-syncs.ts'
import { preview } from './preview.ts'
import { readQuotaUsage } from './read-quota-usage.ts'
import { readRows } from './read-rows.ts'
import { search } from './search.ts'
import { searchRecords } from './search-records.ts'
import { startSync } from './start-sync.ts'
import { updateEmbedding } from './update-embedding.ts'
import { updateSource } from './update-source.ts'
import { uploadRecords } from './upload-records.ts'

export const operations = {
  health,
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

export const searchOperations = {
  getEmbedding,
  updateEmbedding,
  search,
  searchRecords,
} satisfies Operations<typeof dataSearch, Context>

export const internalOperations = { readQuotaUsage, readRows } satisfies Operations<typeof dataInternal, Context>
