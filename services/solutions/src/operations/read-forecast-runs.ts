import { type Operation, problem, type solutions } from '@wp/contracts'
import { getJob, listJobs } from '@wp/jobs'
import type { Context } from '../context.ts'
import { bulkField } from '../runs/input/run-input.ts'
import { forecastQueue } from '../runs/queue.ts'
import { runDetailView, runView } from '../views.ts'

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

export const listForecastRuns: Operation<typeof solutions.listForecastRuns, Context> = async (
  { database },
  caller,
  { query },
) => {
  const { limit, cursor, status, data_source_id: subject, external_id: externalId, metadata } = query
  const { items, nextCursor } = await database.read(caller, (_db, sql) =>
    listJobs(sql, {
      workspaceId: caller.workspaceId,
      queue: forecastQueue,
      limit,
      cursor,
      state: status,
      subject,
      externalId,
      metadata,
      omit: { result: true, input: [bulkField] },
    }),
  )
  return { items: items.map(runView), nextCursor }
}
