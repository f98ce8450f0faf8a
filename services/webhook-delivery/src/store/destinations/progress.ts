import type { Database, Query, Row } from '@wp/database'
import type { EventDestination } from '#db'
import type { LogPosition } from './event-log.ts'

/** Queue of the jobs that write to event destinations, whose wake-ups also request a look for new records. */
export const destinationQueue = 'event-destinations'

/** Returns an event destination by its id alone, for the job that writes to it; undefined if it was removed. */
export async function readDestination(pool: Database['worker'], destinationId: string) {
  const { rows } = await pool.query<WritableDestination>(
    `SELECT destination_id, workspace_id, content, events, filter, format, config, secrets_sealed, status, position,
       batch_end, consecutive_failures, failing_since, last_healthy_at, coalesce(h.seq, 0) AS head_seq
     FROM event_destinations d LEFT JOIN destination_log_heads h USING (workspace_id, content)
     WHERE destination_id = $1`,
    [destinationId],
  )
  return rows[0]
}

/** An event destination as a write needs it. */
export interface WritableDestination
  extends Row<
    EventDestination,
    | 'destinationId'
    | 'workspaceId'
    | 'content'
    | 'events'
    | 'filter'
    | 'format'
    | 'config'
    | 'secretsSealed'
    | 'status'
    | 'consecutiveFailures'
    | 'failingSince'
    | 'lastHealthyAt'
  > {
  position: number
  batchEnd: number | null
  /** Position of the newest record: all up to it are there, unless they are no longer kept. */
  headSeq: number
}

/** Part of a log: the records after `position` up to `batchEnd`. */
export interface BatchRange extends Pick<WritableDestination, 'destinationId' | 'position'> {
  batchEnd: number
}

/**
 * Stores the end of the batch that is written next, so that it is repeated with the same records after a crash.
 * @returns false if the position has changed, as by a replay
 */
export async function beginBatch(query: Query, { destinationId, position, batchEnd }: BatchRange): Promise<boolean> {
  const rows = await query(
    `UPDATE event_destinations SET batch_end = $3
     WHERE destination_id = $1 AND position = $2 AND batch_end IS NULL AND status = 'active' RETURNING 1`,
    [destinationId, position, batchEnd],
  )
  return rows.length > 0
}

/** Advances the position past a batch. Does nothing if it has changed, as by a replay. */
export async function endBatch(
  query: Query,
  { destinationId, position, batchEnd }: BatchRange,
  { written, skipped }: { written: number; skipped: number },
): Promise<void> {
  await query(
    `UPDATE event_destinations SET position = $3, batch_end = NULL, written_count = written_count + $4,
       skipped_count = skipped_count + $5, consecutive_failures = 0, failing_since = NULL, next_attempt_at = NULL,
       last_error_code = NULL, last_error_message = NULL, last_healthy_at = now(),
       last_success_at = CASE WHEN $4 > 0 THEN now() ELSE last_success_at END
     WHERE destination_id = $1 AND position = $2 AND batch_end = $3`,
    [destinationId, position, batchEnd, written, skipped],
  )
}

export interface WriteFailure {
  code: string
  message: string
  delayMs: number
  /** Null unless the failure disables the event destination. */
  disabledReason: 'gone' | 'failing' | null
}

/** Times of failures of an event destination. */
export interface RecordedFailure {
  name: string
  /** The first one since the last success. */
  failingSince: Date
  lastFailureAt: Date
  /** The one before it; null if there was none. */
  failedBefore: Date | null
}

/**
 * Records a failed write: its next attempt follows after the delay, unless it was the last one.
 * @returns undefined if the event destination is not active
 */
export async function recordFailure(
  query: Query,
  destinationId: string,
  failure: WriteFailure,
): Promise<RecordedFailure | undefined> {
  const { code, message, delayMs, disabledReason } = failure
  const [failed] = await query<RecordedFailure>(
    `UPDATE event_destinations SET consecutive_failures = consecutive_failures + 1,
       failing_since = coalesce(failing_since, now()), last_failure_at = now(), last_error_code = $2,
       last_error_message = $3,
       next_attempt_at = CASE WHEN $5::text IS NULL THEN now() + $4 * interval '1 millisecond' END,
       status = CASE WHEN $5 IS NULL THEN status ELSE 'disabled' END,
       disabled_reason = coalesce($5, disabled_reason),
       disabled_at = CASE WHEN $5 IS NULL THEN disabled_at ELSE now() END
     WHERE destination_id = $1 AND status = 'active' RETURNING name, failing_since, last_failure_at,
       old.last_failure_at AS failed_before`,
    [destinationId, code, message, delayMs, disabledReason],
  )
  return failed
}

/** Returns the number of failures of an event destination since its last success. */
export async function countFailures(query: Query, destinationId: string): Promise<number> {
  const rows = await query<Row<EventDestination, 'consecutiveFailures'>>(
    'SELECT consecutive_failures FROM event_destinations WHERE destination_id = $1',
    [destinationId],
  )
  return rows[0]?.consecutiveFailures ?? 0
}

/** An event destination with records to write. */
export type ReadyDestination = Row<EventDestination, 'destinationId' | 'workspaceId'>

const isBehind = `d.status = 'active' AND d.position < h.seq`

/**
 * Returns event destinations with records to write that wait for no time, and in how many milliseconds the next of the
 * others is due; null if none is.
 */
export async function findReady(
  pool: Database['worker'],
  limit: number,
): Promise<{ ready: ReadyDestination[]; nextDueMs: number | null }> {
  const { rows: ready } = await pool.query<ReadyDestination>(
    `SELECT d.destination_id, d.workspace_id FROM event_destinations d JOIN destination_log_heads h USING (workspace_id, content)
     WHERE ${isBehind} AND coalesce(d.next_attempt_at, '-infinity') <= now()
     ORDER BY d.next_attempt_at NULLS FIRST, d.destination_id LIMIT $1`,
    [limit],
  )
  const { rows: due } = await pool.query<{ dueMs: number | null }>(
    `SELECT extract(epoch FROM min(d.next_attempt_at) - now())::float8 * 1000 AS due_ms
     FROM event_destinations d JOIN destination_log_heads h USING (workspace_id, content)
     WHERE ${isBehind} AND d.next_attempt_at > now()`,
  )
  return { ready, nextDueMs: due[0]?.dueMs ?? null }
}

/** Returns the workspaces with an active event destination for their audit log, after the given one, by id. */
export async function findAuditWorkspaces(pool: Database['worker'], after: string, limit: number): Promise<string[]> {
  const { rows } = await pool.query<Row<EventDestination, 'workspaceId'>>(
    `SELECT DISTINCT workspace_id FROM event_destinations
     WHERE content = 'audit' AND status = 'active' AND workspace_id > $1 ORDER BY workspace_id LIMIT $2`,
    [after, limit],
  )
  return rows.map(({ workspaceId }) => workspaceId)
}

/** Stores the newest positions of audit logs. A lower one than before is older and changes nothing. */
export async function writeAuditHeads(pool: Database['worker'], heads: readonly LogPosition[]): Promise<void> {
  await pool.query(
    `INSERT INTO destination_log_heads (workspace_id, content, seq)
     SELECT workspace_id, 'audit', seq FROM unnest($1::text[], $2::bigint[]) AS head (workspace_id, seq)
     ON CONFLICT (workspace_id, content) DO UPDATE SET seq = excluded.seq WHERE destination_log_heads.seq < excluded.seq`,
    [heads.map(({ workspaceId }) => workspaceId), heads.map(({ seq }) => seq)],
  )
}

/** Returns true if there is an event destination that is active. */
export async function hasActiveDestinations(pool: Database['worker']): Promise<boolean> {
  const { rows } = await pool.query(`SELECT FROM event_destinations WHERE status = 'active' LIMIT 1`)
  return rows.length > 0
}

/** Disables all event destinations of a workspace that is deleted. */
export async function stopDestinations(query: Query, workspaceId: string): Promise<void> {
  await query(`UPDATE event_destinations SET status = 'disabled', updated_at = now() WHERE workspace_id = $1`, [
    workspaceId,
  ])
}
