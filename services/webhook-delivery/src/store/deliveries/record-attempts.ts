import type { Database, Query } from '@wp/database'
import { computeEndpointUpdate, lockEndpoints, updateEndpoints } from '../endpoints/endpoints.ts'
import { releaseHeads } from '../endpoints/ordered-delivery.ts'
import { addAttemptHours } from '../subscriptions/statistics.ts'
import { inWorkerTransaction } from '../worker-transaction.ts'
import type { EndedAttempt } from './ended-attempt.ts'

export interface RecordResult {
  /** The request ids that were written. */
  written: ReadonlySet<string>
  /** Something follows for an endpoint as a whole, see `pending-actions.ts`. */
  hasPendingActions: boolean
  /** The next of a strict endpoint cannot go yet: an earlier event may still come. */
  isBlocked: boolean
}

/**
 * Writes the ends of attempts, in one transaction: the attempts, what becomes of their deliveries, how their endpoints
 * fare, and whose turn is next. An attempt whose lease was lost changes nothing.
 *
 * @param holds seconds of an endpoint's first hold, of the next, …
 */
export function recordAttempts(
  pool: Database['worker'],
  ended: readonly EndedAttempt[],
  holds: readonly number[],
): Promise<RecordResult> {
  return inWorkerTransaction(pool, '', async (query) => {
    // The endpoints first, as the claim does it, so that the two never wait for each other.
    const webhookIds = new Set(ended.map(({ claimed }) => claimed.webhookId))
    const endpoints = await lockEndpoints(query, [...webhookIds])
    const written = new Map((await writeAttempts(query, ended)).map((row) => [row.request_id, row]))
    const counted = ended.filter(({ claimed }) => written.has(claimed.requestId))
    const changes = endpoints.map((endpoint) => {
      const own = counted.filter(({ claimed }) => claimed.webhookId === endpoint.webhookId)
      const due = own.flatMap(({ claimed }) => written.get(claimed.requestId)?.next_attempt_at?.getTime() ?? [])
      return computeEndpointUpdate(endpoint, own, due, holds)
    })
    await updateEndpoints(query, changes)
    await addAttemptHours(
      query,
      counted.filter(({ claimed }) => endpoints.some(({ webhookId }) => webhookId === claimed.webhookId)),
    )
    const strict = endpoints.filter((endpoint) => endpoint.strict).map((endpoint) => endpoint.webhookId)
    const { isBlocked } = await releaseHeads(query, strict)
    return {
      written: new Set(written.keys()),
      hasPendingActions: changes.some(({ owed }) => owed.length > 0),
      isBlocked,
    }
  })
}

/** Guarded by token and number; what a person cancelled meanwhile stays so, unless it arrived. */
const writeAttempts = (query: Query, ended: readonly EndedAttempt[]) =>
  query<{ request_id: string; next_attempt_at: Date | null }>(
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
     ), kept AS (
       INSERT INTO attempts (id, workspace_id, request_id, number, outcome, status_code, error_kind, error_message,
         address, timings, response_headers, response_body, response_truncated, started_at, finished_at)
       SELECT id, workspace_id, request_id, number, outcome, status_code, error_kind, error_message,
         address, timings, response_headers, response_body, response_truncated, started_at, finished_at
       FROM ended JOIN written USING (request_id)
     )
     SELECT * FROM written`,
    [JSON.stringify(ended.map(toAttemptRow))],
  )

const toAttemptRow = ({ claimed, result, nextState, attempt }: EndedAttempt) => ({
  request_id: claimed.requestId,
  lease_token: claimed.leaseToken,
  status: nextState.status,
  delay_ms: nextState.delayMs,
  retries_used: nextState.retriesUsed,
  throttled_at: nextState.throttledAtMs === null ? null : new Date(nextState.throttledAtMs),
  id: attempt.id,
  workspace_id: claimed.workspaceId,
  number: claimed.number,
  outcome: result.outcome,
  status_code: attempt.statusCode,
  error_kind: attempt.errorKind,
  error_message: attempt.errorMessage,
  address: attempt.address,
  timings: attempt.timings,
  response_headers: attempt.responseHeaders,
  response_body: attempt.responseBody,
  response_truncated: attempt.responseTruncated,
  started_at: attempt.startedAt,
  finished_at: attempt.finishedAt,
})
