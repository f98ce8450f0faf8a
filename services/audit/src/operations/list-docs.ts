import type { auditDocs, Operation } from '@wp/contracts'
import { listJobs } from '@wp/jobs'
import type { Context } from '../context.ts'
import { exportQueue } from '../store/quotas.ts'
import { docView } from '../views.ts'

export const listDocs: Operation<typeof auditDocs.listDocs, Context> = async ({ database }, caller, { query }) => {
  const { limit, cursor, status: state } = query
  const { workspaceId } = caller
  const { items, nextCursor } = await database.read(caller, (_db, sql) =>
    listJobs(sql, { workspaceId, queue: exportQueue, limit, cursor, state }),
  )
  return { items: items.map(docView), nextCursor }
}
