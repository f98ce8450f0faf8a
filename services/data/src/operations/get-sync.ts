import { type data, type Operation, problem } from '@wp/contracts'
import { getJob } from '@wp/jobs'
import type { Context } from '../context.ts'
import { queue } from '../sync/sync-job.ts'
import { syncView } from '../views.ts'

export const getSync: Operation<typeof data.getSync, Context> = async ({ database }, { workspaceId }, { params }) => {
  const job = await database.read({ workspaceId }, (_db, sql) => getJob(sql, { workspaceId, queue, id: params.id }))
  if (job === null) throw problem('not_found')
  return syncView(job)
}
