import type { WorkspaceCaller } from '@wp/contracts'
import type { Context } from '../context.ts'
import type { RunKey } from '../store/runs/runs.ts'
import { LiveBuffer } from '../streams/live-buffer.ts'
import type { UnredactedRun } from './redact-run.ts'
import { readStartedRunView } from './run-view.ts'

/** Longest time until the end of a run is found whose live message was lost. */
const pollMs = 1_000

/**
 * Waits until a run that the caller has started has ended or waits for an approval, at most for the given time.
 * @returns the run; null if it does not exist
 * @throws the reason of the signal
 */
export async function waitForRun(
  { database, liveEvents }: Pick<Context, 'database' | 'liveEvents'>,
  caller: WorkspaceCaller,
  key: RunKey,
  { signal, maxMs }: { signal: AbortSignal; maxMs: number },
): Promise<UnredactedRun | null> {
  const deadline = performance.now() + maxMs
  const buffer = new LiveBuffer()
  const stop = liveEvents.listen(key.runId, (batch) => {
    if (batch.chunks.length === 0 || batch.chunks.some(({ type }) => waking.has(type)))
      buffer.add({ firstSeq: batch.firstSeq, chunks: [] })
  })
  try {
    for (;;) {
      const run = await database.read(caller, (_db, query) => readStartedRunView(query, key))
      if (run === null || hasEnded(run) || isWaiting(run)) return run
      const remainingMs = deadline - performance.now()
      if (remainingMs <= 0) return run
      await buffer.wait(Math.min(pollMs, remainingMs), signal)
      buffer.clear()
      signal.throwIfAborted()
    }
  } finally {
    stop()
  }
}

/** The events after which a run may have ended. That it waits is told without events. */
const waking = new Set(['finish', 'error', 'abort'])

export const hasEnded = ({ status }: Pick<UnredactedRun, 'status'>): boolean =>
  status !== 'queued' && status !== 'running'

/** Returns true if the run waits for an approval. */
const isWaiting = ({ status, approvals }: UnredactedRun): boolean =>
  status === 'queued' && approvals.some((approval) => approval.status === 'pending')
