import type { DomainEvent } from '@wp/contracts'
import { newId, type Query, type Transaction } from '@wp/database'
import type { EventMetadata } from '@wp/events'
import { serializeBody } from '../../delivery/body.ts'
import { markDue } from '../endpoints/due-marks.ts'
import { markWaiting, orderedDeliveryQueue } from '../endpoints/ordered-delivery.ts'

/** The queue whose wakes the workers hear. */
export const deliveryQueue = 'deliveries'

/** The subscriptions an event is for, each with whether it is active now. */
export interface FanOutTarget {
  webhookId: string
  isActive: boolean
  /** A delivery to it waits: for its turn, or to be asked for. */
  isDeferred: boolean
}

/** Where an event lies in the stream, for those that keep its order; a test lies nowhere. */
export type StreamPosition = Pick<EventMetadata, 'streamCreatedAt' | 'sequence'>

/**
 * The subscriptions that ask for the event and were there when it happened: a replayed event never reaches one younger
 * than it. What is said about a subscription is said to the others. Locked against removal, which cancels what is pending
 * and must not miss what is written here.
 */
export async function findTargets(query: Query, event: DomainEvent): Promise<FanOutTarget[]> {
  return query<FanOutTarget>(
    `SELECT webhook_id AS "webhookId", status = 'active' AS "isActive", ordering = 'strict' OR delivery = 'poll' AS "isDeferred"
     FROM subscriptions
     WHERE workspace_id = $1 AND created_at <= $2 AND events && ARRAY['*', $3::text] AND webhook_id IS DISTINCT FROM $4
     ORDER BY webhook_id FOR KEY SHARE`,
    [event.workspace_id, event.occurred_at, event.kind, getSubjectWebhookId(event)],
  )
}

const getSubjectWebhookId = (event: DomainEvent): unknown =>
  event.kind === 'WEBHOOK_FAILING' || event.kind === 'WEBHOOK_DISABLED' ? event.data.id : null

/**
 * Writes one delivery per target, its body frozen (`base`: see there); for a disabled one as `skipped`, so that it can be replayed. What was
 * written before for the same event and subscription stays as it is.
 */
export async function enqueueDeliveries(
  tx: Pick<Transaction, 'query' | 'wake'>,
  event: DomainEvent,
  targets: readonly FanOutTarget[],
  position: StreamPosition | 'test',
  publicBaseUrl: string,
): Promise<void> {
  if (targets.length === 0) return
  const rows = targets.map((target) => ({ ...target, requestId: newId('dlv') }))
  const written = await tx.query<{ webhook_id: string }>(
    `INSERT INTO deliveries (request_id, webhook_id, body, status, next_attempt_at, workspace_id, event_id, event_kind,
       occurred_at, origin, stream_at, sequence)
     SELECT request_id, webhook_id, body, CASE WHEN is_active THEN 'pending' ELSE 'skipped' END,
       CASE WHEN is_active AND NOT waits THEN date_trunc('milliseconds', now()) END, $6, $7, $8, $9, $10,
       coalesce($11::timestamptz, 'epoch'), $12
     FROM unnest($1::text[], $2::text[], $3::bytea[], $4::boolean[], $5::boolean[])
       AS t (request_id, webhook_id, body, is_active, waits)
     ON CONFLICT (event_id, webhook_id) DO NOTHING
     RETURNING webhook_id`,
    [
      rows.map((row) => row.requestId),
      rows.map((row) => row.webhookId),
      rows.map((row) => serializeBody(event, row.requestId, publicBaseUrl)),
      rows.map((row) => row.isActive),
      rows.map((row) => row.isDeferred),
      event.workspace_id,
      event.id,
      event.kind,
      event.occurred_at,
      position === 'test' ? 'test' : 'event',
      position === 'test' ? null : position.streamCreatedAt,
      position === 'test' ? 0 : position.sequence,
    ],
  )
  const isWritten = new Set(written.map((row) => row.webhook_id))
  const pending = targets.filter(({ isActive, webhookId }) => isActive && isWritten.has(webhookId))
  const idsOf = (isDeferred: boolean) =>
    pending.filter((each) => each.isDeferred === isDeferred).map((each) => each.webhookId)
  await markQueued(tx, { due: idsOf(false), waiting: idsOf(true) })
}

/** Marks endpoints as having deliveries that are due, or that wait, and wakes who sees to them. */
export async function markQueued(
  tx: Pick<Transaction, 'query' | 'wake'>,
  { due, waiting }: { due: readonly string[]; waiting: readonly string[] },
): Promise<void> {
  await markDue(tx.query, due)
  await markWaiting(tx, waiting)
  if (due.length > 0) tx.wake(deliveryQueue)
  if (waiting.length > 0) tx.wake(orderedDeliveryQueue)
}
