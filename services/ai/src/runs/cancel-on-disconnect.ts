import { Problem, type RequestCaller, type WorkspaceCaller } from '@wp/contracts'
import type { Context } from '../context.ts'
import type { RunKey } from '../store/runs/runs.ts'
import { cancelRun } from './cancel-run.ts'

/** Returns true if the client has left; a signal is also aborted when the server shuts down. */
export const isDisconnected = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && reason instanceof Error && reason.name === 'ClientDisconnected'

/** Cancels the run of a client that has left, unless it has ended. Failures are logged: no one waits for a response. */
export async function cancelOnDisconnect(
  { database, liveEvents, log }: Pick<Context, 'database' | 'liveEvents' | 'log'>,
  caller: RequestCaller<WorkspaceCaller>,
  key: RunKey,
): Promise<void> {
  const { request: _request, ...canceller } = caller
  try {
    await database.transact(canceller, async (tx) => {
      const job = await cancelRun(tx, liveEvents, key)
      tx.emitAudit({ action: 'agent_run.cancelled', targets: [{ type: 'agent_run', id: job.id }] })
    })
  } catch (error) {
    if (error instanceof Problem && error.code === 'conflict') return
    log.error(
      { event: 'run.not_cancelled', err: error, run: key.runId },
      'failed to cancel the run of a client that left',
    )
  }
}
