import type { Job } from '@wp/jobs'
import type { Context } from '../../context.ts'
import { failure } from '../../failure.ts'
import { type ForecastThreads, HierarchyTooShortError } from '../../forecast/index.ts'
import type { Control, Tx } from '../../store/client.ts'
import { insertForecastPaths } from '../../store/forecast-paths.ts'
import { dateOf, dayOf } from '../../workplace/local-days.ts'
import { unknownHolidayWarnings } from '../../workplace/missing-country.ts'
import { readRestsOn } from '../../workplace/unread-warnings.ts'
import type { RunParameters } from '../input/run-input.ts'
import { throttle } from '../progress.ts'
import { roundNumbers } from '../round-numbers.ts'
import { findHolidays } from './holidays.ts'
import { packPaths } from './pack-paths.ts'
import { planHierarchy } from './plan-hierarchy.ts'
import { readWorkplace } from './read-workplace.ts'
import type { AskedWorkplace } from './scope.ts'
import { workplaceResult } from './workplace-result.ts'

/** The share of a run's progress for reading; the rest is forecasting. */
const readShare = 0.1

/** Prepares what is committed with a forecast of all teams or all floors. */
export type AfterForecast = (run: {
  id: string
  workspaceId: string
  historyUntil: string
  /** The spaces of a forecast of floors; null if it is of teams. */
  spaces: ReadonlySet<string> | null
}) => Promise<(tx: Tx) => Promise<void>>

/**
 * Runs one attempt over the workplace: reads the history, forecasts all levels together in worker threads, and commits
 * result, sample paths and events together. From its series nothing is recommended.
 * @throws JobFailure if the run cannot finish
 */
export async function runWorkplaceForecast(
  { database, afterForecast }: Pick<Context, 'database'> & { afterForecast: AfterForecast },
  threads: ForecastThreads,
  job: Job,
  control: Control,
  { workplace: asked, horizon, levels, timezone }: RunParameters & { workplace: AskedWorkplace },
): Promise<void> {
  const { workspaceId } = job
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format(job.createdAt)
  const { workplace, restsOn } = await database.read({ workspaceId }, async (db, query) => ({
    workplace: await readWorkplace(db, query, workspaceId, asked, today),
    // People of a team are seen in any space.
    restsOn: await readRestsOn(query, workspaceId, asked.level === 'team' ? undefined : asked.space_id),
  }))
  const until = dateOf(dayOf(workplace.last) + horizon)
  const holidays = await findHolidays(workplace.nodes, asked.holidays ?? {}, { first: workplace.first, last: until })
  await control.progress(readShare)
  const { input, leftOut } = planHierarchy(workplace, holidays.of, { horizon, levels })
  const forecast = await threads
    .runHierarchy(input, {
      workspaceId,
      signal: control.signal,
      onProgress: throttle((fraction) => control.progress(readShare + fraction * (1 - readShare))),
    })
    .catch((error: unknown) => {
      throw error instanceof HierarchyTooShortError ? failure(error.code, error.message) : error
    })
  const paths = await packPaths(forecast)
  control.signal.throwIfAborted()
  const spaces = asked.level === 'team' ? null : new Set(input.nodes.map(({ id }) => id))
  const commitMore = isOfAll(asked)
    ? await afterForecast({ id: job.id, workspaceId, historyUntil: workplace.last, spaces })
    : null
  const past =
    until < today ? [`All days of this forecast are past: its history ends on ${workplace.last}. Add later files.`] : []
  const warnings = [...past, ...workplace.warnings, ...holidays.warnings, ...unknownHolidayWarnings(workplace.nodes)]
  await control.finish(async (tx) => {
    tx.recordUsage({ meter: 'forecast_runs', quantity: 1, subject: job.id, dimensions: {} })
    tx.emit({ kind: 'FORECASTING_FINISHED', data: { id: job.id, status: 'finished' } })
    await insertForecastPaths(tx.query, workspaceId, job.id, paths)
    await commitMore?.(tx)
    const result = workplaceResult(workplace, forecast, { holidays: holidays.of, leftOut, timezone, warnings })
    return { ...roundNumbers(result), rests_on: restsOn }
  })
}

/** Returns true for a forecast from which follows what can close: of the people of all teams, or of all floors. */
const isOfAll = ({ level, team_id: team, space_id: space, measure }: AskedWorkplace): boolean =>
  (level === 'team' && team === undefined) || (level === 'floor' && space === undefined && measure === 'attendance')
