import type { Database } from '@wp/database'

type WorkerPool = Database['worker']

/** An event that could not be handled (yet), as it is kept. */
export interface FailedEvent {
  id: string
  workspaceId: string
  /** The event; or, where it is none, what lay on the broker. */
  content: unknown
  /** In the stream. */
  sequence: number | null
  /** Where it lay; null where that is not known. */
  subject: string | null
  error: unknown
}

/**
 * Counts a failed try where every replica finds it. At the last one the event is dead; one that was put back comes up
 * again after the pause otherwise.
 * @returns how many tries failed by now
 */
export async function recordFailure(
  worker: WorkerPool,
  consumer: string,
  { id, workspaceId, content, sequence, subject, error }: FailedEvent,
  { maxAttempts, pauseMs }: { maxAttempts: number; pauseMs: number },
): Promise<number> {
  const { rows } = await worker.query<{ tries: number }>(
    `INSERT INTO platform.dead_events AS dead
       (consumer, event_id, workspace_id, event, sequence, error, tries, died_at, subject)
     VALUES ($1, $2, $3, $4, $5, $6, 1, CASE WHEN 1 >= $7::integer THEN now() END, $9)
     ON CONFLICT (consumer, event_id) DO UPDATE SET
       error = excluded.error,
       failed_at = now(),
       tries = dead.tries + 1,
       died_at = CASE WHEN dead.tries + 1 >= $7 THEN now() END,
       redrive_at = CASE WHEN dead.tries + 1 < $7 AND dead.redrive_at IS NOT NULL
                         THEN now() + make_interval(secs => $8::float8 / 1000) END
     RETURNING tries`,
    [consumer, id, workspaceId, toJsonb(content), sequence, describeError(error), maxAttempts, pauseMs, subject],
  )
  return rows[0]?.tries ?? maxAttempts
}

/** An event that was put back, as it was kept. */
export interface RedrivenEvent {
  eventId: string
  content: unknown
  sequence: number | null
  subject: string | null
}

/** While a replica is at a redriven event the others leave it alone; should it die, they take over after this. */
const claimSeconds = 30

/** Takes up events that were put back, the longest waiting first. */
export async function claimRedriven(worker: WorkerPool, consumer: string, limit: number): Promise<RedrivenEvent[]> {
  const { rows } = await worker.query<RedrivenEvent>(
    `UPDATE platform.dead_events SET redrive_at = now() + make_interval(secs => $3)
     WHERE consumer = $1 AND event_id IN (
       SELECT event_id FROM platform.dead_events WHERE consumer = $1 AND redrive_at <= now()
       ORDER BY redrive_at LIMIT $2 FOR UPDATE SKIP LOCKED)
     RETURNING event_id AS "eventId", event AS content, sequence, subject`,
    [consumer, limit, claimSeconds],
  )
  return rows
}

/** What went wrong, short enough for a row and without what PostgreSQL cannot store. */
function describeError(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return text.replaceAll('\0', '').slice(0, 2_000)
}

/** `\u0000` is JSON that `jsonb` refuses. */
const toJsonb = (content: unknown): string => JSON.stringify(content).replaceAll('\\u0000', '\\ufffd')
