import { type Database, indexLookups, inWorkerTransaction, type Query } from '@wp/database'
import { computeEndpointUpdate } from '../delivery/endpoint-update.ts'
import type { EndedAttempt } from '../delivery/next-state.ts'
import { countByWebhook } from '../delivery/summarize-attempts.ts'
import { addDeliveredCounts } from '../store/delivered-counts.ts'
import { type AttemptUpdate, writeAttempts, writeFirstSuccesses } from '../store/deliveries/attempts.ts'
import { type EndpointRow, lockEndpoints, updateEndpoints } from '../store/endpoints/endpoints.ts'
import { releaseHeads } from '../store/endpoints/waiting-deliveries.ts'
import { addAttemptHours } from '../store/subscriptions/statistics.ts'

/** The consequences of attempts at endpoints. */
export interface CountResult {
  /** True if an attempt triggered an action of the failure policy. */
  hasPendingActions: boolean
  /**
   * True if a delivery of the endpoints is due, or a time at which one is due has changed, so that a claim must follow.
   */
  needsClaim: boolean
  /** True if a strict endpoint has no next delivery that could be released in this transaction; see `ReleasedHeads`. */
  isBlocked: boolean
}

export interface RecordResult extends CountResult {
  /** Request ids of the attempts written. */
  written: ReadonlySet<string>
}

/**
 * Records attempts in one transaction: the attempts, their deliveries, the health and statistics of their endpoints,
 * and the next deliveries of strict endpoints. An attempt that lost its lease changes nothing.
 *
 * @param holdSchedule seconds of consecutive holds
 * @param uncounted earlier attempts at the same endpoints that are recorded, but for health and statistics
 */
export const recordAttempts = (
  pool: Database['worker'],
  ended: readonly EndedAttempt[],
  holdSchedule: readonly number[],
  uncounted: readonly EndedAttempt[] = [],
): Promise<RecordResult> =>
  inWorkerTransaction(
    pool,
    async (_client, query, commit) => {
      // Endpoints are locked before deliveries, as in a claim, so that the two cannot deadlock.
      const [endpoints, rows] = await Promise.all([
        lockEndpoints(query, webhookIdsOf(ended)),
        writeAttempts(query, ended.map(toAttemptUpdate)),
      ])
      const retryMs = new Map(rows.map((row) => [row.requestId, row.nextAttemptAt?.getTime()]))
      const written = ended.filter(({ claimed }) => retryMs.has(claimed.requestId))
      const counting = await countAtEndpoints(query, endpoints, [...uncounted, ...written], {
        retryMs,
        holdSchedule,
        commit,
      })
      return { written: new Set(retryMs.keys()), ...counting }
    },
    { settings: indexLookups },
  )

/**
 * Records successful attempts of new deliveries, without the health and statistics of their endpoints.
 *
 * @returns the request ids of those written, and of those at endpoints that wait for the result
 */
export async function recordSuccesses(
  query: Query,
  ended: readonly EndedAttempt[],
): Promise<Record<'written' | 'urgent', ReadonlySet<string>>> {
  const rows = await writeFirstSuccesses(
    query,
    ended.map(({ claimed, attempt }) => ({
      request_id: claimed.requestId,
      lease_token: claimed.leaseToken,
      status_code: attempt.statusCode,
      attempt,
    })),
  )
  const urgent = rows.filter(({ isSteady }) => !isSteady)
  return {
    written: new Set(rows.map(({ requestId }) => requestId)),
    urgent: new Set(urgent.map(({ requestId }) => requestId)),
  }
}

/** Writes the health and statistics of endpoints after attempts that are recorded. */
export const countAttempts = (
  pool: Database['worker'],
  recorded: readonly EndedAttempt[],
  holdSchedule: readonly number[],
): Promise<CountResult> =>
  inWorkerTransaction(
    pool,
    async (_client, query, commit) => {
      const endpoints = await lockEndpoints(query, webhookIdsOf(recorded))
      return await countAtEndpoints(query, endpoints, recorded, { retryMs: new Map(), holdSchedule, commit })
    },
    { settings: indexLookups, isStartHarmless: true }, // the locks
  )

const webhookIdsOf = (ended: readonly EndedAttempt[]): string[] => [
  ...new Set(ended.map(({ claimed }) => claimed.webhookId)),
]

interface CountOptions {
  /** Times of the retries of the deliveries that have one, by request id. */
  retryMs: ReadonlyMap<string, number | undefined>
  holdSchedule: readonly number[]
  /** As of `inWorkerTransaction`. */
  commit: () => void
}

async function countAtEndpoints(
  query: Query,
  endpoints: readonly EndpointRow[],
  counted: readonly EndedAttempt[],
  { retryMs, holdSchedule, commit }: CountOptions,
): Promise<CountResult> {
  const updates = endpoints.map((endpoint) => {
    const own = counted.filter(({ claimed }) => claimed.webhookId === endpoint.webhookId)
    const dueMs = own.flatMap(({ claimed }) => retryMs.get(claimed.requestId) ?? [])
    return computeEndpointUpdate(endpoint, own, dueMs, holdSchedule)
  })
  // The endpoint of a removed subscription no longer exists.
  const existing = new Set(endpoints.map(({ webhookId }) => webhookId))
  const hours = countByWebhook(counted.filter(({ claimed }) => existing.has(claimed.webhookId)))
  const strict = endpoints.filter((endpoint) => endpoint.isStrict).map((endpoint) => endpoint.webhookId)
  const written = Promise.all([
    updateEndpoints(query, updates),
    addAttemptHours(query, hours),
    releaseHeads(query, strict),
    addDeliveredCounts(query, countDelivered(counted)),
  ])
  if (strict.length === 0) commit() // nothing is released, so these are the last statements
  const [updated, , { isBlocked, isReleased }] = await written
  return {
    hasPendingActions: updates.some((update) => update.pending_actions.length > 0),
    needsClaim:
      isReleased ||
      endpoints.some(({ isSaturated }) => isSaturated) ||
      updates.some((update) => update.due_at !== null) ||
      updated.some(({ isDue }) => isDue),
    isBlocked,
  }
}

/** Counts the delivered attempts by workspace, for billing. */
function countDelivered(ended: readonly EndedAttempt[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { claimed, result } of ended)
    if (result.outcome === 'delivered') counts.set(claimed.workspaceId, (counts.get(claimed.workspaceId) ?? 0) + 1)
  return counts
}

const toAttemptUpdate = ({ claimed, result, nextState, attempt }: EndedAttempt): AttemptUpdate => ({
  request_id: claimed.requestId,
  lease_token: claimed.leaseToken,
  status: nextState.status,
  delay_ms: nextState.delayMs,
  retries_used: nextState.retriesUsed,
  throttled_at: nextState.throttledAtMs === null ? null : new Date(nextState.throttledAtMs),
  id: attempt.id,
  workspace_id: claimed.workspaceId,
  number: claimed.attemptCount,
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
