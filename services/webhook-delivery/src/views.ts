import {
  type EventFilter,
  maskedValue,
  ReceivedRequest,
  type ResultOf,
  TestReceiver,
  type WebhookAuthentication,
  webhooks,
} from '@wp/contracts'
import { viewOf } from '@wp/database'
import type { z } from 'zod'
import { summarizeHours } from './delivery/summarize-attempts.ts'
import type { DeliveryRow, DeliveryWithAttempts } from './store/deliveries/deliveries.ts'
import type { ReceivedRequestRow, TestReceiverRow } from './store/receivers.ts'
import type { ApplicationSession } from './store/subscriptions/dependent-subscriptions.ts'
import { windowHours } from './store/subscriptions/statistics.ts'
import type { SubscriptionRow } from './store/subscriptions/subscriptions.ts'
import { receiverAddress } from './subscriptions/receiver-address.ts'
import { standingWarnings } from './subscriptions/warnings.ts'

type Surface = typeof webhooks
type SubscriptionView = ResultOf<Surface['getSubscription']>
type DeliveryView = ResultOf<Surface['sendTest']>
type DeliveryDetail = ResultOf<Surface['getDelivery']>

/** @param warnings about the request that is answered, besides those that always apply to the subscription */
export function subscriptionView(row: SubscriptionRow, warnings: readonly string[] = []): SubscriptionView {
  const filter = row.filter as EventFilter | null // only written in this shape
  const customerFilter = row.customerFilter as EventFilter | null // as above
  const rateLimit = row.health?.rateLimit ?? null
  const dependsOn = row.dependsOn as ApplicationSession | null // only written in this shape
  const { successRate, p50Ms, p95Ms } = summarizeHours(row.statistics.hours)
  return viewOf(webhooks.getSubscription.ok, row, {
    delivery: row.delivery === 'poll' ? 'poll' : 'push',
    filter,
    has_secret: row.secretSealed !== null,
    status: row.status === 'active' ? 'active' : 'disabled',
    customer_filter: customerFilter,
    headers: Object.fromEntries(Object.keys(toStringRecord(row.headers)).map((name) => [name, maskedValue])),
    authentication: row.authentication as WebhookAuthentication | null, // only written in this shape
    rate_limit: rateLimit,
    ordering: row.ordering === 'strict' ? 'strict' : 'best_effort',
    stats: {
      pending: row.statistics.pending,
      delivered: row.health?.deliveredCount ?? 0,
      failed: row.health?.failedCount ?? 0,
      filtered: row.statistics.filtered,
      last_success_at: toIsoString(row.health?.lastSuccessAt),
      last_failure_at: toIsoString(row.health?.lastFailureAt),
      next_attempt_at: toIsoString(row.statistics.nextAttemptAt),
      window_hours: windowHours,
      success_rate: successRate,
      latency_p50_ms: p50Ms,
      latency_p95_ms: p95Ms,
    },
    metadata: toStringRecord(row.metadata),
    depends_on_session: dependsOn?.sessionId ?? null,
    warnings: [...warnings, ...standingWarnings({ ...row, filter, rateLimit, dependsOn })],
  })
}

export function deliveryView(row: DeliveryRow, nowMs: number): DeliveryView {
  return viewOf(webhooks.sendTest.accepted, row, {
    event: row.eventKind,
    status: row.status as DeliveryView['status'], // the table's check constraint allows the same values
    next_attempt_at: isInFlight(row, nowMs) ? null : toIsoString(row.nextAttemptAt),
  })
}

export const deliveryDetail = (row: DeliveryWithAttempts, nowMs: number): DeliveryDetail => ({
  ...deliveryView(row, nowMs),
  body: Buffer.from(row.body).toString(),
  attempts: row.attempts.map(attemptView),
})

/** During an attempt `nextAttemptAt` is the end of its lease, which is not shown. */
const isInFlight = ({ leaseToken, nextAttemptAt }: DeliveryRow, nowMs: number): boolean =>
  leaseToken !== null && nextAttemptAt !== null && nextAttemptAt.getTime() > nowMs

const attemptView = (row: DeliveryWithAttempts['attempts'][number]): DeliveryDetail['attempts'][number] => ({
  id: row.id,
  number: row.number,
  outcome: row.outcome === 'delivered' ? 'delivered' : 'failed',
  status_code: row.statusCode,
  error_kind: row.errorKind,
  error_message: row.errorMessage,
  address: row.address,
  timings: row.timings as DeliveryDetail['attempts'][number]['timings'], // only written in this shape
  response_headers: toStringRecord(row.responseHeaders),
  response_body: row.responseBody,
  response_truncated: row.responseTruncated,
  started_at: row.startedAt.toISOString(),
  finished_at: row.finishedAt.toISOString(),
})

export const toIsoString = (value: Date | null | undefined): string | null => value?.toISOString() ?? null

/** Returns the string members of a JSON object. */
export const toStringRecord = (value: unknown): Record<string, string> =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === 'string'))
    : {}

export const receiverView = (row: TestReceiverRow, publicBaseUrl: string): z.input<typeof TestReceiver> =>
  viewOf(TestReceiver, row, { endpoint: receiverAddress(publicBaseUrl, row.token) })

export const receivedRequestView = (row: ReceivedRequestRow): z.input<typeof ReceivedRequest> =>
  viewOf(ReceivedRequest, row, {
    received_at: row.createdAt.toISOString(),
    headers: toStringRecord(row.headers),
    signature: row.signature as z.input<typeof ReceivedRequest>['signature'], // only written with one of the states
  })
