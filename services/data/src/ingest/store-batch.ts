import { problem, type RequestCaller, type WorkspaceCaller } from '@wp/contracts'
import type { Context } from '../context.ts'
import { updateSourceStatistics, upsertRecords } from '../store/records/upsert-records.ts'
import { lockSource } from '../store/sources/sources.ts'
import type { StoreBatch } from './ingest.ts'

/**
 * Stores the batches of one upload, each in a transaction of its own.
 * @param nextCaller who stores the next one
 */
export function createBatchStore(
  database: Context['database'],
  nextCaller: () => RequestCaller<WorkspaceCaller>,
  id: string,
): StoreBatch {
  return ({ records, observer }) => {
    const caller = nextCaller()
    return database.transact(caller, async (tx) => {
      const source = await lockSource(tx.query, caller.workspaceId, id)
      assertNotPaused(source)
      const stored = await upsertRecords(tx.query, source, records)
      await updateSourceStatistics(tx.query, source, stored, observer)
      return stored
    })
  }
}

/** @throws Problem `conflict` */
export function assertNotPaused({ status }: { status: string }): void {
  if (status === 'paused') throw problem('conflict', { detail: 'The data source is paused' })
}
