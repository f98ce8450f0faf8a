import { data, Problem, type solutions, type WorkspaceCaller } from '@wp/contracts'
import { cancelJob, deleteJob, getJob, listJobs } from '@wp/jobs'
import { requireScope } from '@wp/service'
import type { z } from 'zod'
import { forecastCsv, forecastJson, forecastName } from '../content/forecast-content.ts'
import { type Context, found, type Operation } from '../context.ts'
import { readFinishedRun } from '../runs/finished-run.ts'
import { bulkField, type RunResult } from '../runs/input/run-input.ts'
import { forecastQueue } from '../runs/queue.ts'
import { readWorkplaceHistory } from '../runs/workplace/read-history.ts'
import { deleteForecastPaths } from '../store/forecast-paths.ts'
import { deleteOpenOfRun, lockRecommendations } from '../store/recommendations.ts'
import { runDetailView, runView } from '../views.ts'
import { deletedWarnings } from '../workplace/unread-warnings.ts'

export const getForecastRun: Operation<'getForecastRun'> = ({ database }, caller, { params }) =>
  database.read(caller, async (_db, sql) => {
    const { workspaceId } = caller
    const job = found(await getJob(sql, { workspaceId, queue: forecastQueue, id: params.id }))
    const { rests_on: restsOn, warnings = [] } = (job.result ?? {}) as Partial<RunResult> // written by run-forecast.ts
    const deleted = await deletedWarnings(sql, workspaceId, restsOn)
    return { ...runDetailView(job), ...(deleted.length > 0 && { warnings: [...deleted, ...warnings], stale: true }) }
  })

export const listForecastRuns: Operation<'listForecastRuns'> = async ({ database }, caller, { query }) => {
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

type History = z.input<typeof solutions.getForecastHistory.ok>
type Withheld = History['withheld']

/** Returns the steps before a forecast: those it rests on, or of the workplace the days as they are counted now. */
export const getForecastHistory: Operation<'getForecastHistory'> = async (context, caller, { params }) => {
  const { job, input, result } = await readFinishedRun(context, caller, params.id)
  const { data_source_id: sourceId, workplace } = input.parameters
  if (workplace !== undefined) {
    const run = { ...input.parameters, workplace, result }
    const series = await context.database.read(caller, (db, query) =>
      readWorkplaceHistory(db, query, caller.workspaceId, run),
    )
    return { id: job.id, withheld: null, series }
  }
  const withheld = sourceId === undefined ? null : await findObstacle(context, caller, sourceId)
  return { id: job.id, withheld, series: withheld === null ? storedHistories(result) : [] }
}

/** Returns the reason for which the values of a source are not shown; null if there is none. */
async function findObstacle({ internal }: Context, caller: WorkspaceCaller, sourceId: string): Promise<Withheld> {
  requireScope(caller, 'data:read', 'Reading the history of a data source')
  try {
    const request = { params: { data_source_id: sourceId }, query: {}, body: undefined }
    const { record_access: access } = await internal.call(data.getSource, caller, request)
    return access === 'full' ? null : 'privacy'
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return 'source_deleted'
    throw error
  }
}

const storedHistories = ({ series, histories = [] }: RunResult): History['series'] =>
  series.map(({ key }, index) => {
    const { times = [], values = [] } = histories[index] ?? {}
    const points = times.map((time, at) => ({ ts: new Date(1_000 * time).toISOString(), value: values[at] ?? null }))
    return { key, points }
  })

export const getForecastContent: Operation<'getForecastContent'> = async (
  context,
  caller,
  { params, query: { format, locale } },
) => {
  const { job, input, series } = await readFinishedRun(context, caller, params.id)
  const reader = locale === undefined ? undefined : { ...input.parameters, locale }
  return {
    contentType: format === 'csv' ? 'text/csv' : 'application/json',
    filename: reader === undefined ? `${job.id}.${format}` : forecastName(series, reader, format),
    // The result of a finished run does not change.
    etag: `${job.id}.${locale ?? ''}.${format}`,
    open: async function* () {
      yield* format === 'csv' ? forecastCsv(series, reader) : forecastJson(series)
    },
  }
}

export const cancelForecastRun: Operation<'cancelForecastRun'> = ({ database }, caller, { params }) =>
  database.transact(caller, async (tx) =>
    runView(await cancelJob(tx, { workspaceId: caller.workspaceId, queue: forecastQueue, id: params.id })),
  )

export const deleteForecastRun: Operation<'deleteForecastRun'> = ({ database }, caller, { params: { id } }) =>
  database.transact(caller, async (tx) => {
    const { workspaceId } = caller
    // A run that ends now has written its recommendations before, or writes none. It locks its job first, too.
    await deleteJob(tx, { workspaceId, queue: forecastQueue, id })
    await lockRecommendations(tx, workspaceId)
    await deleteForecastPaths(tx.query, workspaceId, id)
    await deleteOpenOfRun(tx.db, workspaceId, id)
    return { id }
  })
