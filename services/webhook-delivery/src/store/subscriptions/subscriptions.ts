import {
  type EventFilter,
  type InputOf,
  type Page,
  problem,
  type WebhookAuthentication,
  type webhooks,
} from '@wp/contracts'
import { afterCursor, contains, definedFields, mapPage, matchMetadata, paginateBy } from '@wp/database'
import { type Endpoint, Prisma, type Subscription } from '#db'
import type { Db, Tx } from '../client.ts'
import { deliveryQueue } from '../endpoints/due-marks.ts'
import { destinationOf } from '../endpoints/endpoints.ts'
import { type Owner, ownedBy } from '../owner.ts'
import type { ApplicationSession } from './dependent-subscriptions.ts'
import { readStatistics, type SubscriptionStatistics } from './statistics.ts'

export type { Subscription }

/** A subscription with the state of its endpoint. */
export type SubscriptionRow = Subscription & { health: Endpoint | null; statistics: SubscriptionStatistics }

/** Returns a subscription. @throws Problem `not_found`, also for that of another workspace or customer */
export async function findSubscription(db: Db, owner: Owner, webhookId: string): Promise<SubscriptionRow> {
  const where = { ...ownedBy(owner), webhookId }
  const row = await db.subscription.findFirst({ where, include: { health: true } })
  if (row === null) throw problem('not_found')
  return { ...row, statistics: (await readStatistics(db, [webhookId]))(webhookId) }
}

/**
 * Locks a subscription until the transaction ends and returns it: against other changes, with `UPDATE` also against new
 * deliveries.
 * @throws Problem `not_found`
 */
export async function lockSubscription(
  tx: Tx,
  owner: Owner,
  webhookId: string,
  strength: 'NO KEY UPDATE' | 'UPDATE' = 'NO KEY UPDATE',
): Promise<Subscription> {
  const { workspaceId, customerId = null } = owner
  await tx.query(
    `SELECT 1 FROM subscriptions WHERE workspace_id = $1 AND webhook_id = $2 AND ($3::text IS NULL OR customer_id = $3)
     FOR ${strength}`,
    [workspaceId, webhookId, customerId],
  )
  const row = await tx.db.subscription.findFirst({ where: { ...ownedBy(owner), webhookId } })
  if (row === null) throw problem('not_found')
  return row
}

/** Returns the subscription. @throws Problem `conflict` if it is disabled */
export function requireActive(subscription: Subscription): Subscription {
  if (subscription.status !== 'active')
    throw problem('conflict', { detail: 'The subscription is disabled; enable it first' })
  return subscription
}

/** Returns one page of the subscriptions, newest first. Those to all kinds are among those to any kind. */
export async function findSubscriptions(
  db: Db,
  owner: Owner,
  { limit, cursor, ...filter }: InputOf<typeof webhooks.listSubscriptions>['query'],
): Promise<Page<SubscriptionRow>> {
  const rows = await db.subscription.findMany({
    where: {
      ...ownedBy(owner),
      ...definedFields({ status: filter.status, externalId: filter.external_id }),
      ...(filter.event === undefined ? {} : { events: { hasSome: [filter.event, '*'] } }),
      AND: [
        ...searchConditions(filter.search),
        ...(matchMetadata(filter.metadata).AND ?? []),
        ...(filter.customer_id === undefined ? [] : [{ customerId: filter.customer_id }]),
      ],
      ...afterCursor(cursor, 'webhookId'),
    },
    include: { health: true },
    orderBy: [{ createdAt: 'desc' }, { webhookId: 'desc' }],
    take: limit + 1,
  })
  const statisticsOf = await readStatistics(
    db,
    rows.map((row) => row.webhookId),
  )
  return mapPage(paginateBy(rows, limit, 'webhookId'), (row) => ({ ...row, statistics: statisticsOf(row.webhookId) }))
}

const searchConditions = (text: string | undefined) =>
  text === undefined ? [] : [{ OR: [{ description: contains(text) }, { endpoint: contains(text) }] }]

export type SubscriptionChange = Omit<
  Prisma.SubscriptionUncheckedUpdateInput,
  'webhookId' | 'workspaceId' | 'health' | 'filter' | 'customerFilter' | 'authentication' | 'dependsOn'
> & {
  filter?: EventFilter | null
  customerFilter?: EventFilter | null
  authentication?: WebhookAuthentication | null
  dependsOn?: ApplicationSession | null
}

/** Health of an endpoint before its first attempt. */
type InitialHealth = Pick<Endpoint, 'inFlightCap' | 'consecutiveFailures' | 'holds'>

/**
 * Updates a subscription.
 * @param resetTo if given, the endpoint's health and failure history are reset to it and its deliveries are tried at
 *   once
 */
export async function updateSubscriptionRow(
  tx: Tx,
  { workspaceId, webhookId }: Pick<Subscription, 'workspaceId' | 'webhookId'>,
  { filter, customerFilter, authentication, dependsOn, ...change }: SubscriptionChange,
  resetTo?: InitialHealth,
): Promise<SubscriptionRow> {
  const where = { workspaceId, webhookId }
  const [now] = await tx.query<{ now: Date }>('SELECT now()')
  const nowAt = now?.now ?? new Date()
  const { status, delivery, endpoint } = await tx.db.subscription.update({
    where,
    data: {
      ...change,
      ...(filter === undefined ? {} : { filter: filter ?? Prisma.DbNull }),
      ...(customerFilter === undefined ? {} : { customerFilter: customerFilter ?? Prisma.DbNull }),
      ...(authentication === undefined ? {} : { authentication: authentication ?? Prisma.DbNull }),
      ...(dependsOn === undefined ? {} : { dependsOn: dependsOn === null ? Prisma.DbNull : { ...dependsOn } }),
      updatedAt: nowAt,
    },
  })
  if (resetTo !== undefined) {
    const { inFlightCap, consecutiveFailures, holds } = resetTo
    await tx.db.endpoint.update({
      where,
      data: {
        inFlightCap,
        consecutiveFailures,
        holds,
        heldUntil: null,
        saturatedUntil: null,
        lastHealthyAt: nowAt,
        failedAttempts: 0,
        failingSince: null,
        authFailures: 0,
        triggeredActions: [],
        pendingActions: [],
        notifiedAt: null,
        isEnabled: status === 'active' && delivery === 'push',
        destination: destinationOf(endpoint),
      },
    })
    tx.wake(deliveryQueue)
  }
  return findSubscription(tx.db, { workspaceId }, webhookId)
}

/** Removes a subscription and cancels its pending deliveries. @throws Problem `not_found` */
export async function removeSubscription(tx: Tx, owner: Owner, webhookId: string): Promise<void> {
  const { workspaceId } = owner
  // Every transaction locks in this order: subscription, endpoint, deliveries.
  await lockSubscription(tx, owner, webhookId, 'UPDATE')
  await tx.query('SELECT 1 FROM endpoints WHERE webhook_id = $1 FOR UPDATE', [webhookId])
  // Before the subscription is gone: a portal link sees no deliveries of one that is not there.
  await tx.query(
    `UPDATE deliveries SET status = 'cancelled', next_attempt_at = NULL, updated_at = now()
     WHERE webhook_id = $1 AND status = 'pending'`,
    [webhookId],
  )
  await tx.db.attemptHour.deleteMany({ where: { workspaceId, webhookId } })
  await tx.db.subscription.deleteMany({ where: { workspaceId, webhookId } })
}
