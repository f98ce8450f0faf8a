import { rowFeedChanged } from '@wp/contracts'
import { newId } from '@wp/database'
import { enqueue } from '@wp/jobs'
import type { Operation } from '../context.ts'
import { enqueueRelease } from '../sources/source-uses.ts'
import { lockSource } from '../store/sources/locked-source.ts'
import { deleteSource as deleteRow, findSource, findSources } from '../store/sources/sources.ts'
import { queue as purges } from '../sync/purge-source.ts'
import { cancelSyncs } from '../sync/sync-job.ts'
import { sourceView } from '../views.ts'

export const getSource: Operation<'getSource'> = ({ database }, caller, { params }) =>
  database.read(caller, async (db) => sourceView(await findSource(db, caller.workspaceId, params.data_source_id)))

export const listSources: Operation<'listSources'> = async ({ database }, caller, { query }) => {
  const { items, nextCursor } = await database.read(caller, (db) => findSources(db, caller.workspaceId, query))
  return { items: items.map(sourceView), nextCursor }
}

/** Deletes a source. Its records are no longer visible at once; a job purges them. */
export const deleteSource: Operation<'deleteSource'> = ({ database }, caller, { params: { data_source_id: id } }) =>
  database.transact(caller, async (tx) => {
    // Lock order as in a sync, which locks its job before its source; the reverse could deadlock.
    await cancelSyncs(tx, caller.workspaceId, id)
    const { integrationId } = await lockSource(tx.query, caller.workspaceId, id)
    // Its readers erase what they have read, also those whose feeds were closed by the retention.
    tx.emitInternal(rowFeedChanged, { data_source_id: id })
    await deleteRow(tx.db, caller.workspaceId, id)
    if (integrationId !== null) await enqueueRelease(tx, { resourceId: id, integrationId })
    await enqueue(tx, { id: newId('sync'), queue: purges, subject: id, input: {} })
    return { id }
  })
