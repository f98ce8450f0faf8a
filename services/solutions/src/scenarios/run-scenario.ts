import { getJob, type Job } from '@wp/jobs'
import type { Context } from '../context.ts'
import { failure } from '../failure.ts'
import { recommendClosures } from '../recommendations/workplace/site-closure.ts'
import type { RunInput, RunResult } from '../runs/input/run-input.ts'
import { forecastQueue } from '../runs/queue.ts'
import { recordClosures } from '../runs/record-recommendations.ts'
import type { Control } from '../store/client.ts'
import { readCounted } from './read-counted.ts'
import { readScenario } from './read-scenario.ts'
import type { AskedScenario } from './scenario-job.ts'
import type { ScenarioThreads } from './scenario-threads.ts'
import { teamShareOf, teamShareWarnings } from './team-share.ts'

const readShare = 0.1

/**
 * Runs one attempt: reads what the scenario is computed from, solves it in a thread, and stores the result. What one
 * that the platform started has found is recommended with the same commit.
 */
export async function runScenario(
  { database }: Pick<Context, 'database'>,
  threads: ScenarioThreads,
  job: Job,
  control: Control,
): Promise<void> {
  const { workspaceId } = job
  const asked = job.input as AskedScenario // written by the operation, from the parsed body
  const { forecast_run_id: runId } = asked
  const { input, run, counted, site } = await database.read({ workspaceId }, async (_db, query) => {
    const run = await getJob(query, { workspaceId, queue: forecastQueue, id: runId })
    if (run === null) throw failure('not_found', 'The forecast was deleted.')
    const input = await readScenario(query, workspaceId, asked, run)
    const historyUntil = (run.result as RunResult).history_until ?? '' // of every run with sample paths
    return {
      ...{ input, run: { historyUntil, horizon: (run.input as RunInput).parameters.horizon } },
      ...(await readCounted(query, workspaceId, asked.space_id, historyUntil)),
    }
  })
  await control.progress(readShare)
  const solved = await threads.run(input, control.signal)
  if (solved === null) throw failure('scenario_timeout', 'No places were found within the time limit.')
  const teamShare = solved.before === null ? null : teamShareOf(counted, solved.before.people)
  const result = { ...solved, warnings: [...solved.warnings, ...teamShareWarnings(teamShare)] }
  const recommendation =
    asked.trigger === 'forecast' && site !== null
      ? recommendClosures({ ...run, id: job.id, site, teamShare }, result)
      : null
  await control.finish(async (tx) => {
    if (recommendation !== null) await recordClosures(tx, { workspaceId, runId }, recommendation)
    return result
  })
}
