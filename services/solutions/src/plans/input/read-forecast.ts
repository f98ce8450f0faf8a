import type { Query } from '@wp/database'
import { getJob, type Job, listJobs } from '@wp/jobs'
import { bulkField, type RunInput, type RunResult } from '../../runs/input/run-input.ts'
import { forecastQueue } from '../../runs/queue.ts'
import type { AskedWorkplace } from '../../runs/workplace/scope.ts'
import { dayOf } from '../../workplace/local-days.ts'
import type { RestsOn } from '../../workplace/unread-warnings.ts'
import type { PlannedSpace } from './plan-input.ts'

interface PlanForecast {
  runId: string
  restsOn: RestsOn
  /** The people of the day, by space. */
  of: Map<string, NonNullable<PlannedSpace['forecast']>>
}

/** Runs among which the forecast of a plan is looked for. */
const maxRuns = 100
/** Results that are read, which can be large. */
const maxResults = 5
const levels: readonly AskedWorkplace['level'][] = ['floor', 'zone', 'room']

/**
 * Finds the newest finished forecast of the attendance of some of the spaces that covers a day.
 *
 * @param ids the planned space and its floors
 * @returns the forecast, null without one; and the holidays that it was told of
 */
export async function findPlanForecast(
  query: Query,
  workspaceId: string,
  ids: readonly string[],
  date: string,
): Promise<{ forecast: PlanForecast | null; holidays: Partial<NonNullable<AskedWorkplace['holidays']>> }> {
  const filter = { workspaceId, queue: forecastQueue, limit: maxRuns, state: 'finished' as const }
  const { items } = await listJobs(query, { ...filter, omit: { result: true, input: [bulkField] } })
  for (const { id } of items.filter(isCandidate).slice(0, maxResults)) {
    const run = await getJob(query, { workspaceId, queue: forecastQueue, id })
    if (run === null) continue
    const of = expectedOn(run, new Set(ids), date)
    if (of.size === 0) continue
    const { rests_on: restsOn = [] } = run.result as RunResult // written by run-workplace-forecast.ts
    return { forecast: { runId: id, restsOn, of }, holidays: workplaceOf(run)?.holidays ?? {} }
  }
  return { forecast: null, holidays: {} }
}

// The input is written by startForecastRun, from this type.
const workplaceOf = (job: Job | null) => (job?.input as RunInput | undefined)?.parameters.workplace

function isCandidate(job: Job): boolean {
  const asked = workplaceOf(job)
  return asked !== undefined && levels.includes(asked.level) && asked.measure === 'attendance'
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
