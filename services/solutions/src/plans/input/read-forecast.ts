import type { Query } from '@wp/database'
import { getJob, type Job, listJobs } from '@wp/jobs'
import { bulkField, type RunInput, type RunResult } from '../../runs/input/run-input.ts'
import { forecastQueue } from '../../runs/queue.ts'
import type { AskedWorkplace } from '../../runs/workplace/scope.ts'
import { dayOf } from '../../workplace/local-days.ts'
import { deletedDatasets, type RestsOn } from '../../workplace/unread-warnings.ts'
import type { PlanMeasure, PlannedSpace } from './plan-input.ts'

export interface PlanForecast {
  runId: string
  restsOn: RestsOn
  /** The holidays that it was told of. */
  holidays: Partial<NonNullable<AskedWorkplace['holidays']>>
  /** The people of the day, by space. */
  of: Map<string, NonNullable<PlannedSpace['forecast']>>
}

/** Runs among which the forecast of a plan is looked for. */
const maxRuns = 100
/** Results that are read, which can be large. */
const maxResults = 5
const levels: readonly AskedWorkplace['level'][] = ['floor', 'zone', 'room']

/**
 * Finds the newest finished forecast of each measure of some of the spaces that covers a day.
 *
 * @param ids the planned space and its floors
 * @returns the warning that the newest of a measure is not used, because its data was deleted
 */
export async function findPlanForecasts(
  query: Query,
  workspaceId: string,
  ids: readonly string[],
  date: string,
): Promise<{ forecasts: Map<PlanMeasure, PlanForecast>; warnings: string[] }> {
  const filter = { workspaceId, queue: forecastQueue, limit: maxRuns, state: 'finished' as const }
  const { items } = await listJobs(query, { ...filter, omit: { result: true, input: [bulkField] } })
  const forecasts = new Map<PlanMeasure, PlanForecast>()
  let deleted: string | null = null
  for (const measure of ['attendance', 'peak'] as const)
    for (const { id } of items.filter((job) => isCandidate(job, measure)).slice(0, maxResults)) {
      const run = await getJob(query, { workspaceId, queue: forecastQueue, id })
      const of = run === null ? new Map() : expectedOn(run, new Set(ids), date)
      if (run === null || of.size === 0) continue
      const { rests_on: restsOn = [] } = run.result as RunResult // written by run-workplace-forecast.ts
      const stale = await deletedDatasets(query, workspaceId, restsOn)
      deleted ??= stale
      if (stale !== null) continue
      forecasts.set(measure, { runId: id, restsOn, of, holidays: workplaceOf(run)?.holidays ?? {} })
      break
    }
  const stale = `Stale: ${deleted} deleted after the newest forecast was made, so the plan does not use it. Forecast again.`
  return { forecasts, warnings: deleted === null ? [] : [stale] }
}

// The input is written by startForecastRun, from this type.
const workplaceOf = (job: Job | null) => (job?.input as RunInput | undefined)?.parameters.workplace

function isCandidate(job: Job, measure: PlanMeasure): boolean {
  const asked = workplaceOf(job)
  return asked !== undefined && levels.includes(asked.level) && asked.measure === measure
}

function expectedOn({ result }: Job, ids: ReadonlySet<string>, date: string): PlanForecast['of'] {
  const { series, history_until: until } = result as RunResult // written by run-workplace-forecast.ts
  const of: PlanForecast['of'] = new Map()
  const day = until === undefined ? -1 : dayOf(date) - dayOf(until) - 1
  for (const { key, points } of series) {
    const [id, point] = [key.space ?? '', points[day]]
    if (!ids.has(id) || point === undefined) continue
    const { mean, lower_80: lower = null, upper_80: upper = null } = point
    of.set(id, { mean, lower, upper })
  }
  return of
}
