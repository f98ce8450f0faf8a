import { problem } from '@wp/contracts'
import { afterCursor } from '@wp/database'
import type { Attempt, Delivery } from '#db'
import type { Db } from '../client.ts'
import { parseFirstAttempt } from './attempts.ts'

/** A delivery without its body. */
export type DeliveryRow = Omit<Delivery, 'body' | 'firstAttempt'>
export type DeliveryWithAttempts = DeliveryRow & Pick<Delivery, 'body'> & { attempts: Attempt[] }

export interface DeliveryFilter {
  webhookId?: string | undefined
  eventId?: string | undefined
  status?: string | undefined
  event?: string | undefined
  /** Created at this time or later. */
  since?: string | undefined
  /** Created before this time. */
  until?: string | undefined
}

/** Returns deliveries, newest first: up to `limit` + 1, so that the caller sees whether there are more. */
export function findDeliveries(
  db: Db,
  workspaceId: string,
  filter: DeliveryFilter,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<DeliveryRow[]> {
  return db.delivery.findMany({
    where: {
      workspaceId,
      ...(filter.webhookId === undefined ? {} : { webhookId: filter.webhookId }),
      ...(filter.eventId === undefined ? {} : { eventId: filter.eventId }),
      ...(filter.status === undefined ? {} : { status: filter.status }),
      ...(filter.event === undefined ? {} : { eventKind: filter.event }),
      AND: [afterCursor(cursor, 'requestId'), { createdAt: createdBetween(filter) }],
    },
    omit: { body: true, firstAttempt: true },
    orderBy: [{ createdAt: 'desc' }, { requestId: 'desc' }],
    take: limit + 1,
  })
}

const createdBetween = ({ since, until }: DeliveryFilter) => ({
  ...(since === undefined ? {} : { gte: since }),
  ...(until === undefined ? {} : { lt: until }),
})

/** Returns a delivery with its attempts, oldest first. @throws Problem `not_found`, also for another workspace's */
export async function findDelivery(db: Db, workspaceId: string, requestId: string): Promise<DeliveryWithAttempts> {
  const row = await db.delivery.findFirst({
    where: { workspaceId, requestId },
    include: { attempts: { orderBy: { number: 'asc' } } },
  })
  if (row === null) throw problem('not_found')
  const { firstAttempt, attempts, ...delivery } = row
  return { ...delivery, attempts: [...parseFirstAttempt(delivery, firstAttempt), ...attempts] }
}

/** Returns the delivery of an event to a subscription. @throws Problem `not_found` */
export async function findDeliveryByEvent(db: Db, eventId: string, webhookId: string): Promise<DeliveryRow> {
  const row = await db.delivery.findFirst({ where: { eventId, webhookId }, omit: { body: true, firstAttempt: true } })
  if (row === null) throw problem('not_found')
  return row
}
