import { type Operation, problem, type solutions } from '@wp/contracts'
import { getJob } from '@wp/jobs'
import type { Context } from '../context.ts'
import { forecastQueue } from '../runs/queue.ts'
import { runDetailView } from '../views.ts'

export const getForecastRun: Operation<typeof solutions.getForecastRun, Context> = async (
  { database },
  caller,
  { params },
) => {
  const job = await database.read(caller, (_db, sql) =>
    getJob(sql, { workspaceId: caller.workspaceId, queue: forecastQueue, id: params.id }),
  )
  if (job === null) throw problem('not_found')
  return runDetailView(job)
}
