import { problem } from '@wp/contracts'
import { enforceMeters, enforceQuota, newId } from '@wp/database'
import { enqueue } from '@wp/jobs'
import type { Operation } from '../context.ts'
import { assertNotPaused } from '../ingest/store-batch.ts'
import { lockSource, resetCrawlState } from '../store/sources/locked-source.ts'
import { findSource } from '../store/sources/sources.ts'
import { queue, type SyncInput, syncQuota } from '../sync/sync-job.ts'
import { syncView } from '../views.ts'

/** Queues a sync. A source has at most one queued or running sync: the job is exclusive by source id. */
export const startSync: Operation<'startSync'> = (
  { database },
  caller,
  { params: { data_source_id: id }, body: { mode, reset_cursor: resetCursor, allow_deletions: allowsDeletions } },
) =>
  database.transact(caller, async (tx) => {
    assertNotPaused(await findSource(tx.db, caller.workspaceId, id))
    const { request: _request, ...storedCaller } = caller
    const input: SyncInput = {
      trigger: 'manual',
      ...(mode === undefined ? {} : { mode }),
      ...(allowsDeletions ? { allow_deletions: true } : {}),
    }
    const job = { id: newId('sync'), queue, subject: id, exclusive: id, input, caller: storedCaller }
    const sync = await enqueue(tx, { ...job, conflict: problem('sync_running') })
    if (resetCursor) await resetCrawlState(tx.query, await lockSource(tx.query, caller.workspaceId, id))
    await enforceMeters(tx.query, caller.workspaceId, ['syncs'])
    await enforceQuota(tx.query, caller.workspaceId, syncQuota)
    return syncView(sync)
  })
