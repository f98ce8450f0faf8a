import type { data, Operation } from '@wp/contracts'
import { listJobs } from '@wp/jobs'
import type { Context } from '../context.ts'
import { findSource } from '../store/sources/sources.ts'
import { queue } from '../sync/sync-job.ts'
import { syncView } from '../views.ts'

export const listSyncs: Operation<typeof data.listSyncs, Context> = async (
  { database },
  { workspaceId },
  { params: { data_source_id: subject }, query: { limit, cursor, status: state } },
) => {
  const { items, nextCursor } = await database.read({ workspaceId }, async (db, sql) => {
    await findSource(db, workspaceId, subject)
    return listJobs(sql, { workspaceId, queue, subject, limit, cursor, state })
  })
  return { items: items.map(syncView), nextCursor }
}
