import { type auditDocs, type Operation, problem } from '@wp/contracts'
import { getJob } from '@wp/jobs'
import type { Context } from '../context.ts'
import { exportQueue } from '../store/quotas.ts'
import { docView } from '../views.ts'

export const getDoc: Operation<typeof auditDocs.getDoc, Context> = async ({ database }, caller, { params }) => {
  const job = await database.read(caller, (_db, query) =>
    getJob(query, { workspaceId: caller.workspaceId, queue: exportQueue, id: params.id }),
  )
  if (job === null) throw problem('not_found')
  return docView(job)
}
