import type { DomainEvent } from '@wp/contracts'
import { newId, type Query, type Transaction } from '@wp/database'
import type { EventMeta } from '@wp/events'
import { freezeBody } from '../delivery/body.ts'
import { markDue } from './due.ts'
import { markAwaiting, turnQueue } from './turns.ts'

/** The queue whose wakes the workers hear. */
export const deliveryQueue = 'deliveries'

/** The subscriptions an event is for, each with whether it is active now. */
export interface Target {
  webhookId: string
  isActive: boolean
  /** A delivery to it waits: for its turn, or to be asked for. */
  waits: boolean
}

/** Where an event lies in the stream, for those that keep its order; a test lies nowhere. */
export type Place = Pick<EventMeta, 'streamCreatedAt' | 'sequence'>

/**
 * The subscriptions that ask for the event and were there when it happened: a replayed event never reaches one younger
 * than it. What is said about a subscription is said to the others. Locked against removal, which cancels what is pending
 * and must not miss what is written here.
 */
export async function targetsOf(query: Query, event: DomainEvent): Promise<Target[]> {
  return query<Target>(
    `SELECT webhook_id AS "webhookId", status = 'active' AS "isActive", ordering = 'strict' OR delivery = 'poll' AS waits
     FROM subscriptions
     WHERE workspace_id = $1 AND created_at <= $2 AND events && ARRAY['*', $3::text] AND webhook_id IS DISTINCT FROM $4
     ORDER BY webhook_id FOR KEY SHARE`,
    [event.workspace_id, event.occurred_at, event.kind, aboutSubscription(event)],
  )
}

const aboutSubscription = (event: DomainEvent): unknown =>
  event.kind === 'WEBHOOK_FAILING' || event.kind === 'WEBHOOK_DISABLED' ? event.data.id : null

/**
 * Writes one delivery per target, its body frozen (`base`: see there); for a disabled one as `skipped`, so that it can be replayed. What was
 * written before for the same event and subscription stays as it is.
 */
export async function enqueue(
  tx: Pick<Transaction, 'query' | 'wake'>,
  event: DomainEvent,
  targets: readonly Target[],
  place: Place | 'test',
  base: string,
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
      rows.map((row) => freezeBody(event, row.requestId, base)),
      rows.map((row) => row.isActive),
      rows.map((row) => row.waits),
      event.workspace_id,
      event.id,
      event.kind,
      event.occurred_at,
      place === 'test' ? 'test' : 'event',
      place === 'test' ? null : place.streamCreatedAt,
      place === 'test' ? 0 : place.sequence,
    ],
  )
  const isWritten = new Set(written.map((row) => row.webhook_id))
  const pending = targets.filter(({ isActive, webhookId }) => isActive && isWritten.has(webhookId))
  const idsOf = (waits: boolean) => pending.filter((each) => each.waits === waits).map((each) => each.webhookId)
  await queueUp(tx, { due: idsOf(false), waiting: idsOf(true) })
}

/** Marks endpoints as having deliveries that are due, or that wait, and wakes who sees to them. */
export async function queueUp(
  tx: Pick<Transaction, 'query' | 'wake'>,
  { due, waiting }: { due: readonly string[]; waiting: readonly string[] },
): Promise<void> {
  await markDue(tx.query, due)
  await markAwaiting(tx, waiting)
  if (due.length > 0) tx.wake(deliveryQueue)
  if (waiting.length > 0) tx.wake(turnQueue)
}
