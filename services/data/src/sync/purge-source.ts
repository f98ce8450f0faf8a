import type { Query } from '@wp/database'
import type { Job, JobControl } from '@wp/jobs'
import { deleteFeedsBatch } from '../store/feeds/row-feeds.ts'
import { deleteRecordsBatch } from '../store/records/records.ts'
import { deleteIndexBatch } from '../store/search/write-index.ts'
import { deletePartsBatch } from '../store/sources/source-parts.ts'
import type { SourceKey } from '../store/sources/sources.ts'

/** The queue of purges of deleted sources. */
export const queue = 'removal'

/** Deletes the feeds, the records, the parts and the search index of a deleted source, one batch per transaction. */
export async function runPurge<Client>(job: Job, control: JobControl<Client>): Promise<void> {
  const source = { workspaceId: job.workspaceId, dataSourceId: job.subject ?? '' }
  for (let deleted = 1; deleted > 0; ) {
    control.signal.throwIfAborted()
    await control.checkpoint(async (tx) => {
      deleted = await deleteBatch(tx.query, source)
      return {}
    })
  }
}

/** @returns the number of deleted rows; 0 if none are left */
async function deleteBatch(query: Query, source: SourceKey): Promise<number> {
  // Before the records: their deletion would be recorded for each feed.
  const feeds = await deleteFeedsBatch(query, source)
  if (feeds > 0) return feeds
  const records = await deleteRecordsBatch(query, source)
  if (records > 0) return records
  const parts = await deletePartsBatch(query, source)
  return parts > 0 ? parts : deleteIndexBatch(query, source)
}
