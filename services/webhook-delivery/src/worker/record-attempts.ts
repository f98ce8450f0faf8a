import { type Database, indexLookups, inWorkerTransaction, type Query } from '@wp/database'
import type { EndedAttempt } from '../delivery/attempt/next-state.ts'
import { computeEndpointUpdate } from '../delivery/endpoint-update.ts'
import { countByWebhook } from '../delivery/statistics/summarize-attempts.ts'
import { addDeliveredCounts } from '../store/delivered-counts.ts'
import { type AttemptUpdate, writeAttempts } from '../store/deliveries/attempts.ts'
import { lockEndpoints, updateEndpoints } from '../store/endpoints/endpoints.ts'
import { releaseHeads } from '../store/endpoints/waiting-deliveries.ts'
import { addAttemptHours } from '../store/subscriptions/statistics.ts'

export interface RecordResult {
  /** Request ids of the attempts written. */
  written: ReadonlySet<string>
  /** True if an attempt triggered an action of the failure policy. */
  hasPendingActions: boolean
  /**
   * True if a delivery of the endpoints is due, or a time at which one is due has changed, so that a claim must follow.
   */
  needsClaim: boolean
  /** True if a strict endpoint has no next delivery that could be released in this transaction; see `ReleasedHeads`. */
  isBlocked: boolean
}

/**
 * Records attempts in one transaction: the attempts, their deliveries, the health and statistics of their endpoints,
 * and the next deliveries of strict endpoints. An attempt that lost its lease changes nothing.
 *
 * @param holdSchedule seconds of consecutive holds
 */
export function recordAttempts(
  pool: Database['worker'],
  ended: readonly EndedAttempt[],
  holdSchedule: readonly number[],
): Promise<RecordResult> {
  const record = async (query: Query): Promise<RecordResult> => {
    // Endpoints are locked before deliveries, as in a claim, so that the two cannot deadlock.
    const webhookIds = new Set(ended.map(({ claimed }) => claimed.webhookId))
    const [endpoints, rows] = await Promise.all([
      lockEndpoints(query, [...webhookIds]),
      writeAttempts(query, ended.map(toAttemptUpdate)),
    ])
    const written = new Map(rows.map((row) => [row.requestId, row]))
    const counted = ended.filter(({ claimed }) => written.has(claimed.requestId))
    const updates = endpoints.map((endpoint) => {
      const own = counted.filter(({ claimed }) => claimed.webhookId === endpoint.webhookId)
      const dueMs = own.flatMap(({ claimed }) => written.get(claimed.requestId)?.nextAttemptAt?.getTime() ?? [])
      return computeEndpointUpdate(endpoint, own, dueMs, holdSchedule)
    })
    // The endpoint of a removed subscription no longer exists.
    const existing = new Set(endpoints.map(({ webhookId }) => webhookId))
    const hours = countByWebhook(counted.filter(({ claimed }) => existing.has(claimed.webhookId)))
    const strict = endpoints.filter((endpoint) => endpoint.isStrict).map((endpoint) => endpoint.webhookId)
    const releaseAndCount = async () => {
      const heads = await releaseHeads(query, strict)
      await addDeliveredCounts(query, countDelivered(counted)) // last: another replica may hold the row of the workspace
      return heads
    }
    const [updated, , { isBlocked, isReleased }] = await Promise.all([
      updateEndpoints(query, updates),
      addAttemptHours(query, hours),
      releaseAndCount(),
    ])
    return {
      written: new Set(written.keys()),
      hasPendingActions: updates.some((update) => update.pending_actions.length > 0),
      needsClaim:
        isReleased ||
        endpoints.some(({ isSaturated }) => isSaturated) ||
        updates.some((update) => update.due_at !== null) ||
        updated.some(({ isDue }) => isDue),
      isBlocked,
    }
  }
  return inWorkerTransaction(pool, (_client, query) => record(query), { settings: indexLookups })
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
