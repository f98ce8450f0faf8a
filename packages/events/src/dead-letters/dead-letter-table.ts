import type { Database } from '@wp/database'

type WorkerPool = Database['worker']

/** An event whose handling failed, as stored in `platform.dead_events`. */
export interface FailedEvent {
  id: string
  workspaceId: string
  /** The event, or the text of a message that is not a valid event. */
  content: unknown
  /** Stream sequence; null if unknown. */
  sequence: number | null
  /** Subject of the message; null if unknown. */
  subject: string | null
  error: unknown
}

/**
 * Counts a failed attempt in the database, so that the count is shared by all replicas. At `maxAttempts` the event
 * becomes a dead letter; a redriven event is due again after `pauseMs` otherwise.
 *
 * @returns the number of failed attempts
 */
export async function recordFailure(
  worker: WorkerPool,
  consumer: string,
  { id, workspaceId, content, sequence, subject, error }: FailedEvent,
  { maxAttempts, pauseMs }: { maxAttempts: number; pauseMs: number },
): Promise<number> {
  const { rows } = await worker.query<{ failures: number }>(
    `INSERT INTO platform.dead_events AS dead
       (consumer, event_id, workspace_id, content, sequence, error, failures, died_at, subject)
     VALUES ($1, $2, $3, $4, $5, $6, 1, CASE WHEN 1 >= $7::integer THEN now() END, $9)
     ON CONFLICT (consumer, event_id) DO UPDATE SET
       error = excluded.error,
       failed_at = now(),
       failures = dead.failures + 1,
       died_at = CASE WHEN dead.failures + 1 >= $7 THEN now() END,
       redrive_at = CASE WHEN dead.failures + 1 < $7 AND dead.redrive_at IS NOT NULL
                         THEN now() + make_interval(secs => $8::float8 / 1000) END
     RETURNING failures`,
    [consumer, id, workspaceId, toJsonb(content), sequence, describeError(error), maxAttempts, pauseMs, subject],
  )
  return rows[0]?.failures ?? maxAttempts
}

/** A dead letter that was put back for another attempt. */
export interface RedrivenEvent {
  eventId: string
  content: unknown
  sequence: number | null
  subject: string | null
}

/** Lease on a redriven event; if the replica dies, another one takes over after this time. */
const claimSeconds = 30

/** Claims up to `limit` redriven events, oldest first. */
export async function claimRedriven(worker: WorkerPool, consumer: string, limit: number): Promise<RedrivenEvent[]> {
  const { rows } = await worker.query<RedrivenEvent>(
    `UPDATE platform.dead_events SET redrive_at = now() + make_interval(secs => $3)
     WHERE consumer = $1 AND event_id IN (
       SELECT event_id FROM platform.dead_events WHERE consumer = $1 AND redrive_at <= now()
       ORDER BY redrive_at LIMIT $2 FOR UPDATE SKIP LOCKED)
     RETURNING event_id, content, sequence, subject`,
    [consumer, limit, claimSeconds],
  )
  return rows
}

/** Returns the error as text of at most 2,000 characters, without the NUL characters that PostgreSQL rejects. */
function describeError(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return text.replaceAll('\0', '').slice(0, 2_000)
}

/** Replaces `\u0000`, which is valid JSON but rejected by `jsonb`. */
const toJsonb = (content: unknown): string => JSON.stringify(content).replaceAll('\\u0000', '\\ufffd')
