import { problem, type RequestCaller, type WorkspaceCaller } from '@wp/contracts'
import type { Context } from '../context.ts'
import { type DetectedFormat, pinFormat } from '../schema/source-format.ts'
import { enforceStorageQuotas } from '../store/quotas.ts'
import { upsertRecords } from '../store/records/upsert-records.ts'
import { lockSource } from '../store/sources/locked-source.ts'
import { updateSourceStatistics } from '../store/sources/observed-schema.ts'
import type { StoreBatch } from './ingest.ts'
import { meterWrittenRecords } from './meter-written-records.ts'

/**
 * Creates the function that stores the batches of one upload, each in its own transaction. The first one pins the
 * format of the file.
 * @param nextCaller returns the caller of the next transaction
 * @param format undefined for a document
 */
export function createBatchStore(
  database: Context['database'],
  nextCaller: () => RequestCaller<WorkspaceCaller>,
  dataSourceId: string,
  format: DetectedFormat | undefined,
): StoreBatch {
  let isPinned = format === undefined
  return async ({ records, observer }) => {
    const caller = nextCaller()
    const stored = await database.transact(caller, async (tx) => {
      const source = await lockSource(tx.query, caller.workspaceId, dataSourceId)
      assertNotPaused(source)
      if (format !== undefined && !isPinned && !(await pinFormat(tx.query, source, format)))
        throw problem('conflict', {
          detail: 'The format of the data source was changed while the file was read. Send the file again',
        })
      const counts = await upsertRecords(tx.query, source, records)
      const change = { records: counts.created, bytes: counts.bytes }
      await updateSourceStatistics(tx.query, source, change, observer)
      await enforceStorageQuotas(tx.query, caller.workspaceId, change)
      await meterWrittenRecords(tx, source, counts)
      return counts
    })
    isPinned = true
    return stored
  }
}

/** @throws Problem `conflict` if the data source is paused */
export function assertNotPaused({ status }: { status: string }): void {
  if (status === 'paused') throw problem('conflict', { detail: 'The data source is paused' })
}
