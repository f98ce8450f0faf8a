import { type Page, problem } from '@wp/contracts'
import { afterCursor, definedFields, paginateBy } from '@wp/database'
import type { Attempt, Delivery } from '#db'
import type { Db } from '../client.ts'
import { type Owner, ownedBy } from '../owner.ts'
import { parseFirstAttempt } from './attempts.ts'

/** A delivery without its body. */
export type DeliveryRow = Omit<Delivery, 'body' | 'firstAttempt'>
export type DeliveryWithAttempts = DeliveryRow & Pick<Delivery, 'body'> & { attempts: Attempt[] }

interface DeliveryFilter {
  limit: number
  cursor?: string | undefined
  webhookId?: string | undefined
  eventId?: string | undefined
  status?: string | undefined
  event?: string | undefined
  /** Only of these kinds; undefined for all. */
  kinds?: readonly string[] | undefined
  /** Created at this time or later. */
  since?: string | undefined
  /** Created before this time. */
  until?: string | undefined
}

/** Returns one page of the deliveries, newest first. */
export async function findDeliveries(db: Db, workspaceId: string, filter: DeliveryFilter): Promise<Page<DeliveryRow>> {
  const { limit, cursor } = filter
  const rows = await db.delivery.findMany({
    where: {
      workspaceId,
      ...definedFields({ webhookId: filter.webhookId, eventId: filter.eventId }),
      ...definedFields({ status: filter.status, eventKind: filter.event }),
      AND: [
        afterCursor(cursor, 'requestId'),
        { createdAt: createdBetween(filter) },
        ...(filter.kinds === undefined ? [] : [{ eventKind: { in: [...filter.kinds] } }]),
      ],
    },
    omit: { body: true, firstAttempt: true },
    orderBy: [{ createdAt: 'desc' }, { requestId: 'desc' }],
    take: limit + 1,
  })
  return paginateBy(rows, limit, 'requestId')
}

const createdBetween = ({ since, until }: DeliveryFilter) => definedFields({ gte: since, lt: until })

/**
 * Returns a delivery with its attempts, oldest first. One to a subscription that was removed belongs to no customer.
 * @throws Problem `not_found`, also for that of another workspace or customer
 */
export async function findDelivery(db: Db, owner: Owner, requestId: string): Promise<DeliveryWithAttempts> {
  const { workspaceId, customerId } = owner
  const row = await db.delivery.findFirst({
    where: { workspaceId, requestId },
    include: { attempts: { orderBy: { number: 'asc' } } },
  })
  if (row === null) throw problem('not_found')
  const { webhookId } = row
  const isOwned =
    customerId === undefined || (await db.subscription.count({ where: { ...ownedBy(owner), webhookId } })) > 0
  if (!isOwned) throw problem('not_found')
  const { firstAttempt, attempts, ...delivery } = row
  return { ...delivery, attempts: [...parseFirstAttempt(delivery, firstAttempt), ...attempts] }
}

/** Returns the delivery of an event to a subscription. @throws Problem `not_found` */
export async function findDeliveryByEvent(db: Db, eventId: string, webhookId: string): Promise<DeliveryRow> {
  const row = await db.delivery.findFirst({ where: { eventId, webhookId }, omit: { body: true, firstAttempt: true } })
  if (row === null) throw problem('not_found')
  return row
}
