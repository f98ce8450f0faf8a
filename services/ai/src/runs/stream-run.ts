import type { Caller, ServerSentEvent, WorkspaceCaller } from '@wp/contracts'
import type { Database } from '@wp/database'
import type { Context } from '../context.ts'
import { type EventRow, listEvents } from '../store/runs/run-events.ts'
import { findRun, type RunKey } from '../store/runs/runs.ts'
import type { Chunk } from '../streams/chunk.ts'
import { LiveBuffer, type LiveEvents } from '../streams/live-events.ts'
import { redactChunk } from './redact-run.ts'

/** Rows read at once. A reader holds no more than these, however slow it is. */
const pageSize = 32

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

interface FollowOptions {
  database: Pick<Database, 'read'>
  live: LiveEvents
  caller: Pick<Caller, 'principal'>
  run: RunKey
  /** Number of the last event that the reader has. */
  after: number
  /** Ends the stream; it has not ended then. */
  signal: AbortSignal
  /** Longest time until an event is found whose live message was lost. Default 1,000. */
  pollMs?: number
}

/** An event and its number. */
interface RunEvent {
  seq: number
  chunk: Chunk
}

/**
 * Reads the events of a run after a position, then those that are written, until the run has ended. None is lost or
 * repeated: live events continue the position exactly, or the database is read.
 */
async function* followEvents(options: FollowOptions): AsyncGenerator<RunEvent> {
  const { live, run, signal, pollMs = 1_000 } = options
  const buffer = new LiveBuffer()
  const stop = live.listen(run.runId, (batch) => buffer.add(batch))
  let position = options.after
  try {
    while (!signal.aborted) {
      const { hasEnded, events } = await readPage(options, position)
      for (const { seq, chunk } of events) {
        yield { seq, chunk: chunk as Chunk } // written by an EventWriter, or with the end of the run
        position = seq
      }
      if (events.length === pageSize) continue
      if (hasEnded) return
      while (await buffer.wait(pollMs, signal)) {
        const chunks = buffer.take(position)
        if (chunks === undefined) break
        for (const chunk of chunks) {
          position += 1
          yield { seq: position, chunk }
        }
        if (chunks.some(isLast)) break
      }
    }
  } finally {
    stop()
  }
}

/** The last event of a run; whether it has ended is read from the database. */
const isLast = ({ type }: Chunk): boolean => type === 'finish' || type === 'abort' || type === 'error'

/** Reads the state before the events: if the run has ended, its last event is among them. */
const readPage = ({ database, caller, run }: FollowOptions, after: number) =>
  database.read(
    { workspaceId: run.workspaceId, principal: caller.principal },
    async (_db, query): Promise<{ hasEnded: boolean; events: EventRow[] }> => {
      const found = await findRun(query, run)
      return {
        hasEnded: found === null || found.endedAt !== null,
        events: await listEvents(query, run, after, pageSize),
      }
    },
  )
