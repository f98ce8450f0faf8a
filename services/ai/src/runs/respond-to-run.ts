import {
  type AgentRun,
  EventStream,
  type RequestCaller,
  type ServerSentEvent,
  type WorkspaceCaller,
} from '@wp/contracts'
import type { Context } from '../context.ts'
import type { RunKey } from '../store/runs/runs.ts'
import type { Chunk } from '../streams/chunk.ts'
import { cancelOnDisconnect, isDisconnected } from './cancel-on-disconnect.ts'
import { redactRun } from './redact-run.ts'
import { streamRun } from './stream-run.ts'
import { waitForRun } from './wait-for-run.ts'

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
