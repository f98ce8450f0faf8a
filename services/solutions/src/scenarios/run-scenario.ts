import { getJob, type Job } from '@wp/jobs'
import type { Context } from '../context.ts'
import { failure } from '../failure.ts'
import { forecastQueue } from '../runs/queue.ts'
import type { Control } from '../store/client.ts'
import { readScenario } from './read-scenario.ts'
import type { AskedScenario } from './scenario-job.ts'
import type { ScenarioThreads } from './scenario-threads.ts'

const readShare = 0.1

/** Runs one attempt: reads what the scenario is computed from, solves it in a thread, and stores the result. */
export async function runScenario(
  { database }: Pick<Context, 'database'>,
  threads: ScenarioThreads,
  job: Job,
  control: Control,
): Promise<void> {
  const { workspaceId } = job
  const asked = job.input as AskedScenario // written by the operation, from the parsed body
  const input = await database.read({ workspaceId }, async (_db, query) => {
    const run = await getJob(query, { workspaceId, queue: forecastQueue, id: asked.forecast_run_id })
    if (run === null) throw failure('not_found', 'The forecast was deleted.')
    return readScenario(query, workspaceId, asked, run)
  })
  await control.progress(readShare)
  const result = await threads.run(input, control.signal)
  if (result === null) throw failure('scenario_timeout', 'No places were found within the time limit.')
  await control.finish(async () => result)
}
