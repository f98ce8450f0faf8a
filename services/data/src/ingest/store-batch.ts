import { problem, type RequestCaller, type WorkspaceCaller } from '@wp/contracts'
import type { Context } from '../context.ts'
import { enforceStorageQuotas } from '../store/quotas.ts'
import { upsertRecords } from '../store/records/upsert-records.ts'
import { lockSource } from '../store/sources/locked-source.ts'
import { updateSourceStatistics } from '../store/sources/observed-schema.ts'
import type { StoreBatch } from './ingest.ts'
import { meterWrittenRecords } from './meter-written-records.ts'

/**
 * Creates the function that stores the batches of one upload, each in its own transaction.
 * @param nextCaller returns the caller of the next transaction
 */
export function createBatchStore(
  database: Context['database'],
  nextCaller: () => RequestCaller<WorkspaceCaller>,
  dataSourceId: string,
): StoreBatch {
  return ({ records, observer }) => {
    const caller = nextCaller()
    return database.transact(caller, async (tx) => {
      const source = await lockSource(tx.query, caller.workspaceId, dataSourceId)
      assertNotPaused(source)
      const counts = await upsertRecords(tx.query, source, records)
      const change = { records: counts.created, bytes: counts.bytes }
      await updateSourceStatistics(tx.query, source, change, observer)
      await enforceStorageQuotas(tx.query, caller.workspaceId, change)
      await meterWrittenRecords(tx, source, counts)
      return counts
    })
  }
}

/** @throws Problem `conflict` if the data source is paused */
export function assertNotPaused({ status }: { status: string }): void {
  if (status === 'paused') throw problem('conflict', { detail: 'The data source is paused' })
}
