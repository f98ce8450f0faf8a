import type { Transaction } from '@wp/database'
import { cancelJob, type Job } from '@wp/jobs'
import type { RunKey } from '../store/runs/runs.ts'
import type { LiveEvents } from '../streams/live-events.ts'
import { endRun } from './end-run.ts'
import { agentRunQueue } from './queue.ts'

/**
 * Cancels a queued or running run with the commit of the transaction, and ends its stream. Its worker is interrupted,
 * which aborts the request to the model. Idempotent.
 * @throws Problem `not_found`; `conflict` if the run has finished or failed
 */
export async function cancelRun(tx: Transaction, live: LiveEvents, { runId, workspaceId }: RunKey): Promise<Job> {
  const job = await cancelJob(tx, { id: runId, queue: agentRunQueue, workspaceId })
  await endRun(tx, live, job, { status: 'cancelled' })
  return job
}
