import { type AgentRun, IdempotentReplay, problem, type RequestCaller, type WorkspaceCaller } from '@wp/contracts'
import type { Transaction } from '@wp/database'
import { cancelJob, type Job } from '@wp/jobs'
import type { Context } from '../context.ts'
import type { Tx } from '../store/client.ts'
import { findReadableRun, type RunKey } from '../store/runs/runs.ts'
import type { LiveEvents } from '../streams/live-events.ts'
import { endRun } from './end-run.ts'
import { agentRunQueue } from './queue.ts'
import { redactRun, type UnredactedRun } from './redact-run.ts'
import { readRunView } from './run-view.ts'

/**
 * Changes a run that the caller may read, in one transaction, and returns it as it is then. An idempotency key stores
 * the whole run: what the caller may not read is left out of each answer, also of a repeated one.
 * @throws Problem `not_found`, or that of the change
 */
export async function changeRun(
  { database }: Pick<Context, 'database'>,
  caller: RequestCaller<WorkspaceCaller>,
  runId: string,
  change: (tx: Tx, key: RunKey) => Promise<void>,
): Promise<AgentRun> {
  const key = { runId, workspaceId: caller.workspaceId }
  try {
    const changed = await database.transact(caller, async (tx): Promise<UnredactedRun> => {
      requireReadable(await findReadableRun(tx.query, key, caller.principal.id))
      await change(tx, key)
      return requireReadable(await readRunView(tx.query, key, caller))
    })
    return redactRun(changed, caller)
  } catch (error) {
    if (!(error instanceof IdempotentReplay)) throw error
    // The conversation of the run may have been deleted since.
    requireReadable(await database.read(caller, (_db, query) => findReadableRun(query, key, caller.principal.id)))
    throw new IdempotentReplay(redactRun(error.result as UnredactedRun, caller)) // returned by the transaction above
  }
}

function requireReadable<Run>(run: Run | null): Run {
  if (run === null) throw problem('not_found')
  return run
}

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
