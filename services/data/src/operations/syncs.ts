import { problem } from '@wp/contracts'
import { cancelJob, getJob, type Job, listJobs } from '@wp/jobs'
import type { Operation } from '../context.ts'
import { hidesRefusedValues } from '../privacy/record-access.ts'
import type { Db } from '../store/client.ts'
import { findSource, findSourceIfExists } from '../store/sources/sources.ts'
import { queue } from '../sync/sync-job.ts'
import { syncView } from '../views.ts'

export const getSync: Operation<'getSync'> = async ({ database }, { workspaceId }, { params }) =>
  database.read({ workspaceId }, async (db, sql) => {
    const job = await getJob(sql, { workspaceId, queue, id: params.id })
    if (job === null) throw problem('not_found')
    return viewOf(db, workspaceId, job)
  })

export const listSyncs: Operation<'listSyncs'> = async (
  { database },
  { workspaceId },
  { params: { data_source_id: subject }, query: { limit, cursor, status: state } },
) =>
  database.read({ workspaceId }, async (db, sql) => {
    const source = await findSource(db, workspaceId, subject)
    const { items, nextCursor } = await listJobs(sql, { workspaceId, queue, subject, limit, cursor, state })
    return { items: items.map((job) => syncView(job, hidesRefusedValues(source))), nextCursor }
  })

export const cancelSync: Operation<'cancelSync'> = ({ database }, caller, { params }) =>
  database.transact(caller, async (tx) => {
    const { workspaceId } = caller
    return viewOf(tx.db, workspaceId, await cancelJob(tx, { workspaceId, queue, id: params.id }))
  })

/** Shows a sync. Of a deleted source it is not known any more whether its values may be shown. */
async function viewOf(db: Db, workspaceId: string, job: Job) {
  const source = await findSourceIfExists(db, workspaceId, job.subject ?? '')
  return syncView(job, source === undefined || hidesRefusedValues(source))
}
