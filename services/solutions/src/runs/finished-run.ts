import { problem, type WorkspaceCaller } from '@wp/contracts'
import { getJob, type Job } from '@wp/jobs'
import { type Context, found } from '../context.ts'
import type { RunInput, RunResult } from './input/run-input.ts'
import { forecastQueue } from './queue.ts'

/** Reads a finished run. @throws Problem `not_found`, or `conflict` if it is not finished */
export async function readFinishedRun(
  { database }: Context,
  caller: WorkspaceCaller,
  id: string,
): Promise<{ job: Job; input: RunInput; result: RunResult; series: RunResult['series'] }> {
  const job = await database.read(caller, async (_db, sql) =>
    found(await getJob(sql, { workspaceId: caller.workspaceId, queue: forecastQueue, id })),
  )
  if (job.state !== 'finished')
    throw problem('conflict', { detail: `The run is ${job.state}; only a finished run has points` })
  // Input and result are written by start-forecast-run.ts and run-forecast.ts, from these types.
  const result = job.result as RunResult
  return { job, input: job.input as RunInput, result, series: result.series }
}
