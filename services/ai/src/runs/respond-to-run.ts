import {
  type AgentRun,
  EventStream,
  Problem,
  type RequestCaller,
  type ServerSentEvent,
  type WorkspaceCaller,
} from '@wp/contracts'
import type { Context } from '../context.ts'
import type { RunKey } from '../store/runs/runs.ts'
import type { Chunk } from '../streams/chunk.ts'
import { LiveBuffer } from '../streams/live-events.ts'
import { cancelRun } from './change-run.ts'
import { redactRun, type UnredactedRun } from './redact-run.ts'
import { readStartedRunView } from './run-view.ts'
import { streamRun } from './stream-run.ts'

/** Longest time until the end of a run is found whose live message was lost. */
const pollMs = 1_000

/** The events after which a run may have ended. That it waits is told without events. */
const waking = new Set(['finish', 'error', 'abort'])

interface ResponseOptions {
  /** Aborted when the client disconnects or the server shuts down. */
  signal: AbortSignal
  onDisconnect: 'cancel' | 'continue'
}

/** Time after which a run that has not ended is answered 202, well below the limit of the edge. */
const maxWaitMs = 240_000

/** Waits until a run has ended or waits for an approval, at most four minutes. @returns the run as it is then */
export async function waitForResult(
  context: Context,
  caller: RequestCaller<WorkspaceCaller>,
  key: RunKey,
  { signal, onDisconnect }: ResponseOptions,
): Promise<AgentRun> {
  try {
    const run = await waitForRun(context, caller, key, { signal, maxMs: maxWaitMs })
    if (run === null) throw new Error(`the run ${key.runId} is gone`)
    return redactRun(run, caller)
  } catch (error) {
    if (onDisconnect === 'cancel' && isDisconnected(signal)) await cancelOnDisconnect(context, caller, key)
    throw error
  }
}

/** Returns the response that streams the events of a run from its beginning. */
export const streamResult = (
  context: Context,
  caller: RequestCaller<WorkspaceCaller>,
  key: RunKey,
  options: ResponseOptions,
): EventStream<Chunk> => new EventStream(streamOrCancel(context, caller, key, options))

async function* streamOrCancel(
  context: Context,
  caller: RequestCaller<WorkspaceCaller>,
  key: RunKey,
  { signal, onDisconnect }: ResponseOptions,
): AsyncGenerator<ServerSentEvent<Chunk>> {
  try {
    yield* streamRun(context, caller, key, { after: 0, signal })
  } finally {
    if (onDisconnect === 'cancel' && isDisconnected(signal)) await cancelOnDisconnect(context, caller, key)
  }
}

/** Returns true if an `Accept` header prefers a stream of events. */
export const acceptsEvents = (accept: string | undefined): boolean =>
  accept?.split(',').some((type) => type.trim().toLowerCase().startsWith('text/event-stream')) === true

/** Returns true if the client has left; a signal is also aborted when the server shuts down. */
const isDisconnected = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && reason instanceof Error && reason.name === 'ClientDisconnected'

/** Cancels the run of a client that has left, unless it has ended. Failures are logged: no one waits for a response. */
async function cancelOnDisconnect(
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

/**
 * Waits until a run that the caller has started has ended or waits for an approval, at most for the given time.
 * @returns the run; null if it does not exist
 * @throws the reason of the signal
 */
async function waitForRun(
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

export const hasEnded = ({ status }: Pick<UnredactedRun, 'status'>): boolean =>
  status !== 'queued' && status !== 'running'

/** Returns true if the run waits for an approval. */
const isWaiting = ({ status, approvals }: UnredactedRun): boolean =>
  status === 'queued' && approvals.some((approval) => approval.status === 'pending')
