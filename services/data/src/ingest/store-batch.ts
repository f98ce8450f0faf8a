import { problem, type RequestCaller, type WorkspaceCaller } from '@wp/contracts'
import type { Context } from '../context.ts'
import { noteStored, storeDrafts } from '../store/batches.ts'
import { lockSource } from '../store/sources.ts'
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
  return ({ drafts, seen }) => {
    const caller = nextCaller()
    return database.transact(caller, async (tx) => {
      const source = await lockSource(tx.query, caller.workspaceId, id)
      refusePaused(source)
      const stored = await storeDrafts(tx.query, source, drafts)
      await noteStored(tx.query, source, stored, seen)
      return stored
    })
  }
}

/** @throws Problem `conflict` */
export function refusePaused({ status }: { status: string }): void {
  if (status === 'paused') throw problem('conflict', { detail: 'The data source is paused' })
}
