import { problem } from '@wp/contracts'
import { olderThan, type ScopedClient, type Transaction } from '@wp/database'
import type { Attempt, Delivery, PrismaClient } from '#db'
import { markDue } from './due.ts'
import { deliveryQueue } from './enqueue.ts'

type Db = ScopedClient<PrismaClient>
type Tx = Transaction<PrismaClient>

/** A delivery without its body. */
export type DeliveryRow = Omit<Delivery, 'body'>
export type DeliveryWithAttempts = Delivery & { attempts: Attempt[] }

export interface DeliveryFilter {
  status?: string | undefined
  event?: string | undefined
  /** Created at this time or later. */
  since?: string | undefined
  /** Created before this time. */
  until?: string | undefined
}

/** Newest first, one more than `limit` where there are more. */
export function listDeliveries(
  db: Db,
  { workspaceId, webhookId }: { workspaceId: string; webhookId: string },
  filter: DeliveryFilter,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<DeliveryRow[]> {
  return db.delivery.findMany({
    where: {
      workspaceId,
      webhookId,
      ...(filter.status === undefined ? {} : { status: filter.status }),
      ...(filter.event === undefined ? {} : { eventKind: filter.event }),
      AND: [olderThan(cursor, 'requestId'), { createdAt: between(filter) }],
    },
    omit: { body: true },
    orderBy: [{ createdAt: 'desc' }, { requestId: 'desc' }],
    take: limit + 1,
  })
}

const between = ({ since, until }: DeliveryFilter) => ({
  ...(since === undefined ? {} : { gte: since }),
  ...(until === undefined ? {} : { lt: until }),
})

/** @throws Problem `not_found`, also for another workspace's */
export async function findDelivery(db: Db, workspaceId: string, requestId: string): Promise<DeliveryWithAttempts> {
  const row = await db.delivery.findFirst({
    where: { workspaceId, requestId },
    include: { attempts: { orderBy: { number: 'asc' } } },
  })
  if (row === null) throw problem('not_found')
  return row
}

/** The delivery of an event to a subscription. @throws Problem `not_found` */
export async function findDeliveryOf(db: Db, eventId: string, webhookId: string): Promise<DeliveryRow> {
  const row = await db.delivery.findFirst({ where: { eventId, webhookId }, omit: { body: true } })
  if (row === null) throw problem('not_found')
  return row
}

/**
 * Puts a delivery that has ended into its endpoint's queue again, in front, with the whole schedule before it. The
 * endpoint's counts show what deliveries have come to, so it leaves the one it was in.
 *
 * @throws Problem `not_found`; `conflict` while it is pending or under way
 */
export async function requeue(tx: Tx, workspaceId: string, requestId: string): Promise<DeliveryRow> {
  const [found] = await tx.query<{ status: string; webhook_id: string; lease_token: string | null }>(
    `SELECT status, webhook_id, lease_token FROM deliveries WHERE workspace_id = $1 AND request_id = $2 FOR UPDATE`,
    [workspaceId, requestId],
  )
  if (found === undefined) throw problem('not_found')
  if (found.status === 'pending')
    throw problem('conflict', { detail: 'The delivery is pending or under way; it will be sent by itself' })
  await tx.query(
    `UPDATE deliveries SET status = 'pending', lease_token = NULL, retries_used = 0, throttled_at = NULL,
       manual = true, updated_at = now(), next_attempt_at = date_trunc('milliseconds', least(now(), (
         SELECT min(next_attempt_at) - interval '1 millisecond' FROM deliveries waiting
         WHERE waiting.webhook_id = $2 AND waiting.status = 'pending')))
     WHERE request_id = $1`,
    [requestId, found.webhook_id],
  )
  await tx.query(
    `UPDATE endpoints SET held_until = CASE WHEN held_until > now() THEN NULL ELSE held_until END,
       delivered_count = delivered_count - CASE WHEN $2 = 'delivered' THEN 1 ELSE 0 END,
       failed_count = failed_count - CASE WHEN $2 = 'failed' THEN 1 ELSE 0 END
     WHERE webhook_id = $1`,
    [found.webhook_id, found.status],
  )
  await markDue(tx.query, [found.webhook_id])
  tx.wake(deliveryQueue)
  const row = await tx.db.delivery.findFirst({ where: { workspaceId, requestId }, omit: { body: true } })
  if (row === null) throw problem('not_found')
  return row
}
