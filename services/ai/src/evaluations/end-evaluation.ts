import { Problem, type WorkspaceCaller } from '@wp/contracts'
import type { Job } from '@wp/jobs'
import type { Context } from '../context.ts'
import { cancelRun } from '../runs/change-run.ts'
import type { Tx } from '../store/client.ts'
import { type EvaluationKey, writeEvaluationEnd } from '../store/evaluations/evaluations.ts'
import { resetResultsInProgress } from '../store/evaluations/results.ts'

type CancelContext = Pick<Context, 'database' | 'liveEvents' | 'log'>

/** Ends an evaluation whose job has failed, and cancels its runs in progress. */
export async function failEvaluation(context: CancelContext, tx: Tx, job: Job): Promise<void> {
  await stopEvaluation(context, tx, job, 'failed')
}

/**
 * Ends an evaluation before all its cases have a result. Its runs are cancelled after the commit: a run that ends locks
 * the job of its evaluation, so the two must not be locked in the other order.
 */
export async function stopEvaluation(
  { database, liveEvents, log }: CancelContext,
  tx: Tx,
  job: Job,
  status: 'failed' | 'cancelled',
): Promise<void> {
  const key: EvaluationKey = { workspaceId: job.workspaceId, id: job.id }
  await writeEvaluationEnd(tx.query, key, status, job.error)
  const runs = await resetResultsInProgress(tx.query, key)
  // Written by start-evaluation.ts, of a caller in a workspace.
  const caller = { ...job.caller, workspaceId: job.workspaceId } as WorkspaceCaller
  tx.afterCommit(async () => {
    for (const runId of runs)
      await database
        .transact(caller, async (each) => {
          await cancelRun(each, liveEvents, { runId, workspaceId: job.workspaceId })
        })
        .catch((error: unknown) => {
          if (error instanceof Problem && (error.code === 'conflict' || error.code === 'not_found')) return
          log.warn({ event: 'evaluation.run_not_cancelled', err: error, run: runId }, 'failed to cancel a run')
        })
  })
}
