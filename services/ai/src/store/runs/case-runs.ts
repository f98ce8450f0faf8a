import type { JobError, JobState } from '@wp/contracts'
import type { Query } from '@wp/database'
import { joinJobs } from '@wp/jobs'
import type { Run, RunKey } from './runs.ts'

/** A run that answers or grades a case of an evaluation. */
export interface CaseRun extends Pick<Run, 'output' | 'inputTokens' | 'outputTokens'> {
  status: JobState
  error: JobError | null
  durationMs: number | null
  /** Tools that it called and that do not act in an evaluation. */
  refusedTools: string[]
}

export async function readCaseRun(query: Query, { runId, workspaceId }: RunKey): Promise<CaseRun | undefined> {
  const [run] = await query<CaseRun>(
    `SELECT run.output, run.input_tokens, run.output_tokens, job.state AS status, job.error,
       round(extract(epoch FROM job.finished_at - job.started_at) * 1000)::integer AS duration_ms,
       ARRAY(SELECT DISTINCT tool FROM run_steps WHERE run_id = $1 AND workspace_id = $2 AND status = 'denied')
         AS refused_tools
     FROM runs AS run ${joinJobs('run.run_id')} WHERE run.run_id = $1 AND run.workspace_id = $2`,
    [runId, workspaceId],
  )
  return run
}
