import { type data, type Operation, problem } from '@wp/contracts'
import { cancelJob, getJob, listJobs } from '@wp/jobs'
import type { Context } from '../context.ts'
import { findSource } from '../store/sources/sources.ts'
import { queue } from '../sync/sync-job.ts'
import { syncView } from '../views.ts'

export const getSync: Operation<typeof data.getSync, Context> = async ({ database }, { workspaceId }, { params }) => {
  const job = await database.read({ workspaceId }, (_db, sql) => getJob(sql, { workspaceId, queue, id: params.id }))
  if (job === null) throw problem('not_found')
  return syncView(job)
}

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

export const cancelSync: Operation<typeof data.cancelSync, Context> = ({ database }, caller, { params }) =>
  database.transact(caller, async (tx) =>
    syncView(await cancelJob(tx, { workspaceId: caller.workspaceId, queue, id: params.id })),
  )
