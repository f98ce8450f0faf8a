import { newId, type Query, type Row } from '@wp/database'
import type { Attempt, Delivery } from '#db'

/** Record of an attempt. No text in it contains NUL. */
export interface AttemptRecord
  extends Omit<Row<Attempt>, 'workspaceId' | 'requestId' | 'number' | 'outcome' | 'timings' | 'responseHeaders'> {
  timings: Record<string, number | null>
  responseHeaders: Record<string, string>
}

/** An attempt and the next state of its delivery, by column. */
export interface AttemptUpdate {
  request_id: string
  lease_token: string
  status: 'pending' | 'delivered' | 'failed'
  /** Milliseconds until the retry; null if there is none. */
  delay_ms: number | null
  retries_used: number
  throttled_at: Date | null
  id: string
  workspace_id: string
  number: number
  outcome: 'delivered' | 'failed'
  status_code: number | null
  error_kind: string | null
  error_message: string | null
  address: string | null
  timings: Record<string, number | null>
  response_headers: Record<string, string>
  response_body: string | null
  response_truncated: boolean
  started_at: Date
  finished_at: Date
}

/**
 * Writes attempts and updates their deliveries. An attempt whose lease token or number no longer matches changes
 * nothing. A delivery cancelled during the attempt stays cancelled, unless it was delivered.
 *
 * @returns the deliveries written, with the time of their retry
 */
export const writeAttempts = (query: Query, attempts: readonly AttemptUpdate[]) =>
  query<Row<Delivery, 'requestId' | 'nextAttemptAt'>>(
    `WITH ended AS (
       SELECT * FROM jsonb_to_recordset($1::jsonb) AS e (
         request_id text, lease_token text, status text, delay_ms float8, retries_used int, throttled_at timestamptz,
         id text, workspace_id text, number int, outcome text, status_code int, error_kind text, error_message text,
         address text, timings jsonb, response_headers jsonb, response_body text, response_truncated boolean,
         started_at timestamptz, finished_at timestamptz)
     ), written AS (
       UPDATE deliveries d SET
         status = CASE WHEN d.status = 'pending' OR e.status = 'delivered' THEN e.status ELSE d.status END,
         next_attempt_at = CASE WHEN d.status = 'pending' AND e.status = 'pending'
           THEN now() + e.delay_ms * interval '1 millisecond' END,
         delivered_at = CASE WHEN e.status = 'delivered' THEN now() ELSE d.delivered_at END,
         lease_token = NULL, retries_used = e.retries_used, throttled_at = e.throttled_at,
         last_status_code = e.status_code, last_error_kind = e.error_kind, updated_at = now()
       FROM ended e
       WHERE d.request_id = e.request_id AND d.lease_token = e.lease_token AND d.attempt_count = e.number
       RETURNING d.request_id, d.next_attempt_at
     ), inserted AS (
       INSERT INTO attempts (id, workspace_id, request_id, number, outcome, status_code, error_kind, error_message,
         address, timings, response_headers, response_body, response_truncated, started_at, finished_at)
       SELECT id, workspace_id, request_id, number, outcome, status_code, error_kind, error_message,
         address, timings, response_headers, response_body, response_truncated, started_at, finished_at
       FROM ended JOIN written USING (request_id)
     )
     SELECT request_id, next_attempt_at FROM written`,
    [JSON.stringify(attempts)],
    'write_attempts',
  )

/** An attempt that was written, and whether nothing but its statistics is left to write at its endpoint. */
export interface FirstSuccess extends Row<Delivery, 'requestId'> {
  isSteady: boolean
}

/**
 * Writes successful first attempts as parts of their deliveries, which saves the rows of their own, in one statement.
 * An attempt whose lease token no longer matches changes nothing.
 *
 * @param query of a pool for lookups by index
 * @returns those written. `isSteady`: the endpoint has no failure, strict order or waiting claim, or is removed
 */
export const writeFirstSuccesses = (
  query: Query,
  successes: readonly (Pick<AttemptUpdate, 'request_id' | 'lease_token' | 'status_code'> & {
    attempt: AttemptRecord
  })[],
) =>
  query<FirstSuccess>(
    `WITH ended AS (
       SELECT * FROM jsonb_to_recordset($1::jsonb)
         AS e (request_id text, lease_token text, status_code int, attempt jsonb)
     ), written AS (
       UPDATE deliveries d SET status = 'delivered', delivered_at = now(), next_attempt_at = NULL, lease_token = NULL,
         last_status_code = e.status_code, first_attempt = e.attempt, updated_at = now()
       FROM ended e
       WHERE d.request_id = e.request_id AND d.lease_token = e.lease_token AND d.attempt_count = 1
       RETURNING d.request_id, d.webhook_id
     )
     SELECT request_id, coalesce(NOT is_strict AND saturated_until IS NULL AND held_until IS NULL
       AND consecutive_failures = 0 AND failed_attempts = 0 AND auth_failures = 0 AND triggered_actions = '{}', true) AS is_steady
     FROM written LEFT JOIN endpoints USING (webhook_id)`,
    [JSON.stringify(successes)],
    'write_first_successes',
  )

/** Returns the attempt that `writeFirstSuccesses` wrote into a delivery, if it did. */
export function parseFirstAttempt(
  { requestId, workspaceId }: Row<Delivery, 'requestId' | 'workspaceId'>,
  stored: unknown,
): Attempt[] {
  if (stored === null) return []
  const record = stored as AttemptRecord // written in this shape, with times as text
  const { startedAt, finishedAt } = record
  const times = { startedAt: new Date(startedAt), finishedAt: new Date(finishedAt) }
  return [{ ...record, ...times, requestId, workspaceId, number: 1, outcome: 'delivered' }]
}

interface LostAttempt extends Row<Delivery, 'workspaceId' | 'requestId' | 'attemptCount'> {
  lostAt: Date
}

/**
 * Records attempts whose worker lost its lease before it recorded a result. The receiver may have got the request.
 * @param lost `attemptCount`: the attempt that follows included
 */
export async function insertLostAttempts(query: Query, lost: readonly LostAttempt[]): Promise<void> {
  if (lost.length === 0) return
  await query(
    `INSERT INTO attempts (id, workspace_id, request_id, number, outcome, error_kind, error_message, timings,
       response_headers, response_truncated, started_at, finished_at)
     SELECT id, workspace_id, request_id, number, 'failed', 'lost',
       'the worker stopped before it recorded the result; the receiver may have got the request',
       '{"dns_ms":null,"connect_ms":null,"tls_ms":null,"first_byte_ms":null,"total_ms":0}', '{}', false, ended, ended
     FROM unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::timestamptz[])
       AS lost (id, workspace_id, request_id, number, ended)
     ON CONFLICT (request_id, number) DO NOTHING`,
    [
      lost.map(() => newId('att')),
      lost.map((row) => row.workspaceId),
      lost.map((row) => row.requestId),
      lost.map((row) => row.attemptCount - 1),
      lost.map((row) => row.lostAt),
    ],
  )
}
