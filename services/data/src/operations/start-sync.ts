import { type data, type Operation, problem } from '@wp/contracts'
import { newId } from '@wp/database'
import { enqueue } from '@wp/jobs'
import type { Context } from '../context.ts'
import { assertNotPaused } from '../ingest/store-batch.ts'
import { findSource, lockSource, resetCrawlState } from '../store/sources/sources.ts'
import { queue, type SyncInput } from '../sync/sync-job.ts'
import { syncView } from '../views.ts'

/** One at a time: the source is what the job excludes others from. */
export const startSync: Operation<typeof data.startSync, Context> = (
  { database },
  caller,
  { params: { data_source_id: id }, body: { mode, reset_cursor: isAnew } },
) =>
  database.transact(caller, async (tx) => {
    assertNotPaused(await findSource(tx.db, caller.workspaceId, id))
    const { request: _request, ...stored } = caller
    const input: SyncInput = { trigger: 'manual', ...(mode === undefined ? {} : { mode }) }
    const job = { id: newId('sync'), queue, subject: id, exclusive: id, input, caller: stored }
    const sync = await enqueue(tx, { ...job, conflict: problem('sync_running') })
    if (isAnew) await resetCrawlState(tx.query, await lockSource(tx.query, caller.workspaceId, id))
    return syncView(sync)
  })
