import type { DomainEvent, EventFilter } from '@wp/contracts'
import type { Query, Row, Transaction } from '@wp/database'
import type { EventMetadata } from '@wp/events'
import type { Delivery, Subscription } from '#db'
import { deliveryQueue, markDue } from '../endpoints/due-marks.ts'
import { markWaiting, orderedDeliveryQueue } from '../endpoints/waiting-deliveries.ts'
import type { ClaimedDelivery, LeaseOptions } from './claim-rows.ts'

/** A subscription that an event is for. */
export interface FanOutTarget extends Row<Subscription, 'webhookId'> {
  /** False while the subscription is disabled. */
  isActive: boolean
  /** True if its deliveries wait: for the ones before them, or to be polled. */
  isDeferred: boolean
}

/** A subscription that an event is for if it passes the filter. */
export interface FilteredTarget extends FanOutTarget {
  filter: EventFilter | null
  /** Conditions besides the filter, which the workspace has set. */
  customerFilter: EventFilter | null
}

/** A subscription with those events of a batch that are for it if they pass the filter. */
export interface BatchTarget extends FilteredTarget, Row<Subscription, 'workspaceId'> {
  /** Positions in the batch, from 0. */
  events: number[]
}

/** Position of an event in the stream, which decides the order of strict subscriptions; tests have none. */
export type StreamPosition = Pick<EventMetadata, 'streamCreatedAt' | 'sequence'>

export interface NewDelivery extends FanOutTarget {
  requestId: string
  body: Buffer
  event: DomainEvent
  position: StreamPosition | 'test'
}

/**
 * Returns up to `limit` subscriptions after the given one, by id, that have no delivery of the event yet, name its kind
 * and existed when it happened, so a replayed event never reaches a younger subscription. An event about a subscription
 * goes to the workspace's other subscriptions only. The rows are locked against removal, which cancels pending
 * deliveries and must not miss the ones written here.
 */
export async function findTargets(
  query: Query,
  event: DomainEvent,
  { after, limit }: { after: string; limit: number },
): Promise<FilteredTarget[]> {
  return query<FilteredTarget>(
    `SELECT webhook_id, status = 'active' AS is_active,
       ordering = 'strict' OR delivery = 'poll' AS is_deferred, filter, customer_filter
     FROM subscriptions
     WHERE workspace_id = $1 AND created_at <= $2 AND events && ARRAY['*', $3::text] AND webhook_id IS DISTINCT FROM $4
       AND NOT EXISTS (SELECT FROM deliveries WHERE event_id = $5 AND deliveries.webhook_id = subscriptions.webhook_id)
       AND webhook_id > $6
     ORDER BY webhook_id LIMIT $7 FOR KEY SHARE`,
    [event.workspace_id, event.occurred_at, event.kind, subjectWebhookId(event), event.id, after, limit],
    'find_fan_out_targets',
  )
}

/**
 * Returns the first `limit` subscriptions of each workspace of a batch, by id, with the events of the batch that each
 * is for, as `findTargets` does for one event; also those with a delivery of an event already.
 */
export async function findBatchTargets(
  query: Query,
  batch: readonly DomainEvent[],
  limit: number,
): Promise<BatchTarget[]> {
  return query<BatchTarget>(
    `SELECT target.* FROM (SELECT DISTINCT unnest($1::text[]) AS id) workspace CROSS JOIN LATERAL (
       SELECT workspace_id, webhook_id, status = 'active' AS is_active,
         ordering = 'strict' OR delivery = 'poll' AS is_deferred, filter, customer_filter,
         ARRAY(
           SELECT number::int - 1 FROM unnest($1::text[], $3::text[], $4::timestamptz[], $5::text[])
             WITH ORDINALITY AS event (workspace_id, kind, occurred_at, subject, number)
           WHERE subscriptions.workspace_id = event.workspace_id AND subscriptions.created_at <= event.occurred_at
             AND subscriptions.events && ARRAY['*', event.kind] AND webhook_id IS DISTINCT FROM event.subject
           ORDER BY number
         ) AS events
       FROM subscriptions WHERE workspace_id = workspace.id AND events && array_append($3, '*')
       ORDER BY webhook_id LIMIT $2 FOR KEY SHARE
     ) target`,
    [
      batch.map((event) => event.workspace_id),
      limit,
      batch.map(({ kind }) => kind),
      batch.map((event) => event.occurred_at),
      batch.map(subjectWebhookId),
    ],
    'find_batch_targets',
  )
}

const subjectWebhookId = (event: DomainEvent): unknown =>
  event.kind === 'WEBHOOK_FAILING' || event.kind === 'WEBHOOK_DISABLED' ? event.data.id : null

/** Leases of new deliveries, whose attempts follow the commit without a claim. */
export interface EnqueuedLeases extends Pick<LeaseOptions, 'leaseSeconds'> {
  deliveries: readonly Pick<ClaimedDelivery, 'requestId' | 'leaseToken'>[]
  /** Endpoints whose leases nothing would find when they expire; see `IdleEndpoint`. */
  endpointsToMark: readonly string[]
}

/**
 * Writes deliveries, each in the workspace of its event. A delivery to a disabled subscription is written as `skipped`,
 * so that it can be replayed. A delivery of the same event to the same subscription that exists already is left
 * unchanged.
 *
 * @returns the request ids of the deliveries that did not exist
 */
export async function enqueueDeliveries(
  tx: Pick<Transaction, 'query' | 'wake'>,
  deliveries: readonly NewDelivery[],
  leases: EnqueuedLeases = { deliveries: [], leaseSeconds: 0, endpointsToMark: [] },
): Promise<ReadonlySet<string>> {
  if (deliveries.length === 0) return new Set()
  const leaseTokens = new Map(leases.deliveries.map(({ requestId, leaseToken }) => [requestId, leaseToken]))
  const pending = deliveries.filter(({ isActive, requestId }) => isActive && !leaseTokens.has(requestId))
  const idsOf = (isDeferred: boolean) => [
    ...new Set(pending.filter((each) => each.isDeferred === isDeferred).map((each) => each.webhookId)),
  ]
  // Marks also the endpoints of deliveries that exist already: a claim that finds nothing due clears the mark.
  const due = [...new Set([...idsOf(false), ...leases.endpointsToMark])]
  const [inserted] = await Promise.all([
    insertDeliveries(tx.query, deliveries, leaseTokens, leases.leaseSeconds),
    markQueued(tx, { due, waiting: idsOf(true) }),
  ])
  return new Set(inserted.map(({ requestId }) => requestId))
}

const insertDeliveries = (
  query: Query,
  deliveries: readonly NewDelivery[],
  leaseTokens: ReadonlyMap<string, string>,
  leaseSeconds: number,
) =>
  query<Row<Delivery, 'requestId'>>(
    `INSERT INTO deliveries (request_id, webhook_id, body, status, attempt_count, lease_token, next_attempt_at,
       workspace_id, event_id, event_kind, occurred_at, origin, stream_created_at, sequence, traceparent)
     SELECT request_id, webhook_id, body, CASE WHEN is_active THEN 'pending' ELSE 'skipped' END,
       CASE WHEN lease_token IS NULL THEN 0 ELSE 1 END, lease_token,
       CASE WHEN lease_token IS NOT NULL THEN now() + $15 * interval '1 second'
         WHEN is_active AND NOT is_deferred THEN date_trunc('milliseconds', now()) END,
       workspace_id, event_id, event_kind, occurred_at, origin, coalesce(stream_created_at, 'epoch'), sequence, traceparent
     FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::boolean[], $6::boolean[], $7::text[], $8::text[],
       $9::timestamptz[], $10::text[], $11::timestamptz[], $12::bigint[], $13::text[], $14::text[])
       AS t (workspace_id, request_id, webhook_id, body, is_active, is_deferred, event_id, event_kind, occurred_at,
         origin, stream_created_at, sequence, traceparent, lease_token)
     ON CONFLICT (event_id, webhook_id) DO NOTHING
     RETURNING request_id`,
    [
      deliveries.map(({ event }) => event.workspace_id),
      deliveries.map((delivery) => delivery.requestId),
      deliveries.map((delivery) => delivery.webhookId),
      deliveries.map((delivery) => delivery.body),
      deliveries.map((delivery) => delivery.isActive),
      deliveries.map((delivery) => delivery.isDeferred),
      deliveries.map(({ event }) => event.id),
      deliveries.map(({ event }) => event.kind),
      deliveries.map(({ event }) => event.occurred_at),
      deliveries.map(({ position }) => (position === 'test' ? 'test' : 'event')),
      deliveries.map(({ position }) => (position === 'test' ? null : position.streamCreatedAt)),
      deliveries.map(({ position }) => (position === 'test' ? 0 : position.sequence)),
      deliveries.map(({ event }) => event.traceparent),
      deliveries.map(({ requestId }) => leaseTokens.get(requestId) ?? null),
      leaseSeconds,
    ],
    'enqueue_deliveries',
  )

/** Marks endpoints as having due or waiting deliveries, and wakes the workers responsible. */
export async function markQueued(
  tx: Pick<Transaction, 'query' | 'wake'>,
  { due, waiting }: { due: readonly string[]; waiting: readonly string[] },
): Promise<void> {
  await Promise.all([markDue(tx.query, due), markWaiting(tx, waiting)])
  if (due.length > 0) tx.wake(deliveryQueue)
  if (waiting.length > 0) tx.wake(orderedDeliveryQueue)
}
