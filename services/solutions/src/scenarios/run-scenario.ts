import type { Query } from '@wp/database'
import { getJob, type Job, JobFailure } from '@wp/jobs'
import type { Context } from '../context.ts'
import { failure } from '../failure.ts'
import type { RunInput, RunResult } from '../runs/input/run-input.ts'
import { forecastQueue } from '../runs/queue.ts'
import type { Control, Tx } from '../store/client.ts'
import { findSpaceNodes } from '../store/spaces.ts'
import { findShownAttendance } from '../store/utilization.ts'
import { createThreadPool, type ThreadPool } from '../worker-thread.ts'
import { effectiveValues } from '../workplace/inherit.ts'
import { dateOf, dayOf } from '../workplace/local-days.ts'
import { buildTree, fullName, pathOf } from '../workplace/tree.ts'
import { readScenario } from './read-scenario.ts'
import type { ScenarioInput } from './scenario-input.ts'
import type { AskedScenario, ScenarioResult } from './scenario-job.ts'
import { comparedWeeks, describePeople, forecastByWeekday, teamShareOf, teamShareWarnings } from './team-share.ts'

const readShare = 0.1

/** A scenario with its result, before the commit. */
export interface SolvedScenario {
  id: string
  workspaceId: string
  asked: AskedScenario
  result: ScenarioResult
  /** The space that was planned; null for all. */
  site: { id: string; name: string; timezone: string } | null
  /** The last day of the history of its forecast, and the days after it. */
  historyUntil: string
  horizon: number
  /** The share of the people in the space who are in the forecast; null if that is not known. */
  teamShare: number | null
}

/** Writes what follows from a scenario, with the commit of its result. */
export type AfterScenario = (tx: Tx, scenario: SolvedScenario) => Promise<void>

/** Runs one attempt: reads what the scenario is computed from, solves it in a thread, and stores the result. */
export async function runScenario(
  { database, afterScenario }: Pick<Context, 'database'> & { afterScenario: AfterScenario },
  threads: ScenarioThreads,
  job: Job,
  control: Control,
): Promise<void> {
  const { workspaceId } = job
  const asked = job.input as AskedScenario // written by the operation, from the parsed body
  const { forecast_run_id: runId } = asked
  const { input, warnings, leftOut, run, restsOn, counted, site } = await database.read(
    { workspaceId },
    async (_db, query) => {
      const run = await getJob(query, { workspaceId, queue: forecastQueue, id: runId })
      if (run === null) throw failure('not_found', 'The forecast was deleted.')
      const read = await readScenario(query, workspaceId, asked, run)
      // Every run with sample paths has a result with its last day.
      const { history_until: historyUntil = '', rests_on: restsOn } = run.result as RunResult
      const { horizon, workplace } = (run.input as RunInput).parameters // written by startForecastRun
      const { counted, site } = await readCounted(query, workspaceId, asked.space_id, historyUntil)
      // The most people at a moment are no share of those of a day.
      return {
        ...read,
        run: { historyUntil, horizon },
        restsOn,
        site,
        counted: workplace?.measure === 'peak' ? [] : counted,
      }
    },
  )
  await control.progress(readShare)
  const solved = await threads.run(input, control.signal)
  if (solved === null) throw timeoutOf(asked)
  const teamShare = teamShareOf(counted, forecastByWeekday(input))
  const people = describePeople(teamShare, leftOut)
  const result = {
    ...solved,
    // A saving and a risk are not read without the people that they are about.
    conclusion: people === null ? solved.conclusion : `${people}: ${solved.conclusion}`,
    risk: solved.risk && { ...solved.risk, people },
    warnings: [...warnings, ...solved.warnings, ...teamShareWarnings(teamShare)],
    rests_on: restsOn,
  }
  await control.finish(async (tx) => {
    await afterScenario(tx, { ...run, id: job.id, workspaceId, asked, result, site, teamShare })
    return result
  })
}

/** No user waits for a scenario of the platform, so it is tried again: the processor may have been busy. */
const timeoutOf = ({ trigger }: AskedScenario): JobFailure =>
  new JobFailure({
    code: 'scenario_timeout',
    message: 'No places were found within the time limit.',
    retryable: trigger === 'forecast',
  })
/** Threads that solve scenarios. They answer null if no places were found in time. */
export type ScenarioThreads = ThreadPool<ScenarioInput, ScenarioResult | null>
/** Beside the heap, the solver has memory of its own: 500 MB for 200 teams on 30 floors. */
const maxHeapMib = 512

export const createScenarioThreads = (): ScenarioThreads =>
  createThreadPool(new URL('./scenario-worker.ts', import.meta.url), { maxHeapMib })

/**
 * Reads the people who were counted in the space of a scenario in the weeks before its forecast; without a space, in
 * the outermost ones.
 * @returns the space beside it; null without one
 */
async function readCounted(query: Query, workspaceId: string, spaceId: string | null, historyUntil: string) {
  const spaces = buildTree(await findSpaceNodes(query, workspaceId))
  const path = pathOf(spaces, spaceId ?? '')
  const roots = spaces.nodes.filter((_, at) => spaces.parents[at] === -1)
  const until = dayOf(historyUntil) + 1
  const counted = await findShownAttendance(
    query,
    workspaceId,
    path[0] === undefined ? roots.map(({ id }) => id) : [path[0].id],
    { since: dateOf(until - 7 * comparedWeeks), until: dateOf(until) },
  )
  if (path[0] === undefined) return { counted, site: null }
  return { counted, site: { id: path[0].id, name: fullName(path), timezone: effectiveValues(path).timezone } }
}
