import type { data, Operation } from '@wp/contracts'
import { newId } from '@wp/database'
import { enqueue } from '@wp/jobs'
import type { Context } from '../context.ts'
import { enqueueRelease } from '../integration-uses/release-use.ts'
import { lockSource, deleteSource as remove } from '../store/sources/sources.ts'
import { cancelSyncs } from '../sync/cancel-syncs.ts'
import { queue as removals } from '../sync/purge-source.ts'

/** Out of sight at once, with its records; those are removed by a job, as many as they are. */
export const deleteSource: Operation<typeof data.deleteSource, Context> = (
  { database },
  caller,
  { params: { data_source_id: id } },
) =>
  database.transact(caller, async (tx) => {
    // First the syncs, as a sync takes its job before its source: two that wait for each other would be undone.
    await cancelSyncs(tx, caller.workspaceId, id)
    const { integrationId } = await lockSource(tx.query, caller.workspaceId, id)
    await remove(tx.db, caller.workspaceId, id)
    if (integrationId !== null) await enqueueRelease(tx, { dataSourceId: id, integrationId })
    await enqueue(tx, { id: newId('sync'), queue: removals, subject: id, input: {} })
    return { id }
  })
