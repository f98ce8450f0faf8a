import type { ServerSentEvent, WorkspaceCaller } from '@wp/contracts'
import type { Context } from '../context.ts'
import type { RunKey } from '../store/runs/runs.ts'
import type { Chunk } from '../streams/chunk.ts'
import { followEvents } from '../streams/follow-events.ts'
import { redactChunk } from './redact-run.ts'

/**
 * Returns the events of a run as server-sent events, from a position until its end, as far as the caller may read them.
 * Their ids are their numbers.
 */
export async function* streamRun(
  { database, liveEvents }: Pick<Context, 'database' | 'liveEvents'>,
  caller: WorkspaceCaller,
  run: RunKey,
  { after, signal }: { after: number; signal: AbortSignal },
): AsyncGenerator<ServerSentEvent<Chunk>> {
  for await (const { seq, chunk } of followEvents({ database, live: liveEvents, caller, run, after, signal })) {
    const data = redactChunk(chunk, caller)
    if (data !== undefined) yield { id: String(seq), data }
  }
}
