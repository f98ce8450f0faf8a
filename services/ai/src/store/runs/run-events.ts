import type { Citation } from '@wp/contracts'
import type { Query, Row } from '@wp/database'
import type { RetentionRule } from '@wp/jobs/background'
import type { RunEvent } from '#db'
import { toJsonb } from '../storable-json.ts'
import type { RunAttempt, RunKey } from './runs.ts'

/** Events to append to the stream of a run. */
export interface NewEvents {
  /** Number of the event before them. */
  lastSeq: number
  /** Chunks as JSON text of an array. */
  json: string
  count: number
  /** Characters that a model has written in them. */
  outputLength: number
}

/**
 * Appends events, in one statement that the attempt must be allowed to make. Repeating it after a lost connection
 * changes nothing more.
 *
 * @returns false if the attempt may no longer write
 */
export async function appendEvents(
  query: Query,
  { runId, workspaceId, attempt }: RunAttempt,
  { lastSeq, json, count, outputLength }: NewEvents,
): Promise<boolean> {
  const [result] = await query<{ isWritten: boolean }>(
    `WITH run AS (
       UPDATE runs SET last_seq = $4::integer + $6::integer, state = NULL, call_output_length = call_output_length + $7
       WHERE run_id = $1 AND workspace_id = $2 AND attempt = $3 AND last_seq = $4 AND ended_at IS NULL
       RETURNING run_id, workspace_id
     ), inserted AS (
       INSERT INTO run_events (run_id, seq, workspace_id, chunk)
       SELECT run_id, $4::integer + position, workspace_id, chunk
       FROM run CROSS JOIN jsonb_array_elements($5::jsonb) WITH ORDINALITY AS event (chunk, position)
     )
     SELECT EXISTS (SELECT FROM run) OR EXISTS (
       SELECT FROM runs WHERE run_id = $1 AND workspace_id = $2 AND attempt = $3 AND last_seq = $4::integer + $6::integer
         AND ended_at IS NULL) AS is_written`,
    [runId, workspaceId, attempt, lastSeq, json, count, outputLength],
    'append_events',
  )
  return result?.isWritten === true
}

/** Appends the last events of a run, which the transaction has locked. */
export async function appendLastEvents(
  query: Query,
  { runId, workspaceId }: RunKey,
  lastSeq: number,
  chunks: readonly unknown[],
): Promise<void> {
  await query(
    `WITH run AS (
       UPDATE runs SET last_seq = $3::integer + $5::integer WHERE run_id = $1 AND workspace_id = $2 RETURNING run_id, workspace_id)
     INSERT INTO run_events (run_id, seq, workspace_id, chunk)
     SELECT run_id, $3::integer + position, workspace_id, chunk
     FROM run CROSS JOIN jsonb_array_elements($4::jsonb) WITH ORDINALITY AS event (chunk, position)`,
    [runId, workspaceId, lastSeq, toJsonb(chunks), chunks.length],
    'append_last_events',
  )
}

export type EventRow = Row<RunEvent, 'seq' | 'chunk'>

/** Returns the events after a number, in order. */
export const listEvents = (query: Query, { runId, workspaceId }: RunKey, after: number, limit: number) =>
  query<EventRow>(
    `SELECT seq, chunk FROM run_events WHERE run_id = $1 AND workspace_id = $2 AND seq > $3 ORDER BY seq LIMIT $4`,
    [runId, workspaceId, after, limit],
    'list_run_events',
  )

/** Returns the text that a run has written last, and what its events cite. */
export async function readOutput(query: Query, { runId, workspaceId }: RunKey) {
  const [output] = await query<{ text: string | null; citations: Citation[] }>(
    `WITH events AS (
       SELECT seq, chunk FROM run_events WHERE run_id = $1 AND workspace_id = $2
         AND chunk ->> 'type' IN ('start-step', 'text-delta', 'data-citation')
     ), texts AS (
       SELECT seq, chunk ->> 'delta' AS delta,
         (SELECT max(step.seq) FROM events AS step WHERE step.chunk ->> 'type' = 'start-step' AND step.seq < events.seq) AS step
       FROM events WHERE chunk ->> 'type' = 'text-delta'
     )
     SELECT (SELECT string_agg(delta, '' ORDER BY seq) FROM texts
             WHERE step IS NOT DISTINCT FROM (SELECT max(step) FROM texts)) AS text,
       coalesce((SELECT jsonb_agg(chunk -> 'data' ORDER BY (chunk -> 'data' ->> 'index')::integer) FROM events
                 WHERE chunk ->> 'type' = 'data-citation'), '[]') AS citations`,
    [runId, workspaceId],
    'read_run_output',
  )
  return { text: output?.text ?? null, citations: output?.citations ?? [] }
}

/**
 * Returns the retention of the events of runs that ended before the period. Events of a run in progress stay, however
 * old. The runs remain with their output, steps and use.
 */
export const eventRetention = (days: number): RetentionRule => ({
  table: 'run_events',
  column: 'created_at',
  period: `${days} days`,
  condition: 'EXISTS (SELECT FROM runs WHERE runs.run_id = run_events.run_id AND runs.ended_at < now() - $1::interval)',
})
