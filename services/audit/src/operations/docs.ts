import { problem } from '@wp/contracts'
import { enforceQuota, newId } from '@wp/database'
import { cancelJob, enqueue, getJob, listJobs } from '@wp/jobs'
import type { Operation } from '../context.ts'
import { setExpiry } from '../store/exports.ts'
import { exportQueue, queuedExportQuota } from '../store/quotas.ts'
import { docView } from '../views.ts'

export const startDoc: Operation<'startDoc'> = async ({ database }, caller, { body }) => {
  const { request: _request, ...stored } = caller
  return database.transact(caller, async (tx) => {
    const job = await enqueue(tx, { id: newId('doc'), queue: exportQueue, input: body, caller: stored })
    await enforceQuota(tx.query, caller.workspaceId, queuedExportQuota)
    return docView(job)
  })
}

export const listDocs: Operation<'listDocs'> = async ({ database }, caller, { query }) => {
  const { limit, cursor, status: state } = query
  const { workspaceId } = caller
  const { items, nextCursor } = await database.read(caller, (_db, sql) =>
    listJobs(sql, { workspaceId, queue: exportQueue, limit, cursor, state }),
  )
  return { items: items.map(docView), nextCursor }
}

export const getDoc: Operation<'getDoc'> = async ({ database }, caller, { params }) => {
  const job = await database.read(caller, (_db, query) =>
    getJob(query, { workspaceId: caller.workspaceId, queue: exportQueue, id: params.id }),
  )
  if (job === null) throw problem('not_found')
  return docView(job)
}

/** Cancels an export; the content written so far expires at once. */
export const cancelDoc: Operation<'cancelDoc'> = ({ database, now }, caller, { params }) =>
  database.transact(caller, async (tx) => {
    const key = { workspaceId: caller.workspaceId, id: params.id }
    const job = await cancelJob(tx, { ...key, queue: exportQueue })
    await setExpiry(tx.query, key, new Date(now()))
    return docView(job)
  })
