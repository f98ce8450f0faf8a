import { type EventFilter, problem, type WebhookAuthentication } from '@wp/contracts'
import { afterCursor, matchMetadata, newId, type ScopedClient, type Transaction } from '@wp/database'
import type { Endpoint, Prisma, PrismaClient, Subscription } from '#db'
import { destinationOf } from '../endpoints/destination.ts'
import { deliveryQueue } from '../endpoints/due-marks.ts'
import type { ApplicationSession } from './dependent-subscriptions.ts'
import { readStatistics, type SubscriptionStatistics } from './statistics.ts'

type Db = ScopedClient<PrismaClient>
type Tx = Transaction<PrismaClient>

/** A subscription with the state of its endpoint. */
export type SubscriptionRow = Subscription & { health: Endpoint | null; statistics: SubscriptionStatistics }

export const createWebhookId = () => newId('wh')

export type NewSubscriptionRow = Pick<
  Prisma.SubscriptionUncheckedCreateInput,
  'webhookId' | 'workspaceId' | 'endpoint' | 'secretSealed' | 'description' | 'externalId' | 'authenticationSealed'
> & {
  createdBy: string
  createdByClient: string | undefined
  dependsOn: ApplicationSession | null
  inFlightCap: number
  ordering: string
  delivery: string
  events: string[]
  filter: EventFilter | null
  /** Attempts per second; null: no limit. */
  rateLimit: number | null
  headers: Record<string, string>
  authentication: WebhookAuthentication | null
  metadata: Record<string, string>
}

/** Inserts a subscription and its endpoint. The database sets the creation time, as it does for events. */
export async function insertSubscription(tx: Tx, row: NewSubscriptionRow): Promise<SubscriptionRow> {
  await tx.query(
    `WITH created AS (
       INSERT INTO subscriptions (webhook_id, workspace_id, endpoint, events, secret_sealed, headers, description,
         metadata, external_id, ordering, delivery, filter,
         authentication, authentication_sealed, created_by, created_by_client, depends_on)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $12, $14, $16, $17, $18, $19, $20)
     )
     INSERT INTO endpoints (webhook_id, workspace_id, in_flight_cap, is_strict, is_polled, is_enabled, destination, rate_limit)
     VALUES ($1, $2, $11, $10 = 'strict', $12 = 'poll', $12 = 'push', $13, $15)`,
    [
      row.webhookId,
      row.workspaceId,
      row.endpoint,
      row.events,
      row.secretSealed,
      JSON.stringify(row.headers),
      row.description,
      JSON.stringify(row.metadata),
      row.externalId,
      row.ordering,
      row.inFlightCap,
      row.delivery,
      destinationOf(row.endpoint ?? null),
      row.filter === null ? null : JSON.stringify(row.filter),
      row.rateLimit,
      row.authentication === null ? null : JSON.stringify(row.authentication),
      row.authenticationSealed,
      row.createdBy,
      row.createdByClient ?? null,
      row.dependsOn === null ? null : JSON.stringify(row.dependsOn),
    ],
  )
  return findSubscription(tx.db, row.workspaceId, row.webhookId)
}

/** Returns a subscription. @throws Problem `not_found`, also for another workspace's */
export async function findSubscription(db: Db, workspaceId: string, webhookId: string): Promise<SubscriptionRow> {
  const row = await db.subscription.findFirst({ where: { workspaceId, webhookId }, include: { health: true } })
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
  workspaceId: string,
  webhookId: string,
  strength: 'NO KEY UPDATE' | 'UPDATE' = 'NO KEY UPDATE',
): Promise<Subscription> {
  await tx.query(`SELECT 1 FROM subscriptions WHERE workspace_id = $1 AND webhook_id = $2 FOR ${strength}`, [
    workspaceId,
    webhookId,
  ])
  const row = await tx.db.subscription.findFirst({ where: { workspaceId, webhookId } })
  if (row === null) throw problem('not_found')
  return row
}

export interface SubscriptionFilter {
  status?: string | undefined
  /** Subscriptions to this kind, including those to all kinds. */
  event?: string | undefined
  external_id?: string | undefined
  metadata?: Record<string, string> | undefined
}

/** Returns subscriptions, newest first: up to `limit` + 1, so that the caller sees whether there are more. */
export async function listSubscriptions(
  db: Db,
  workspaceId: string,
  filter: SubscriptionFilter,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<SubscriptionRow[]> {
  const rows = await db.subscription.findMany({
    where: {
      workspaceId,
      ...(filter.status === undefined ? {} : { status: filter.status }),
      ...(filter.event === undefined ? {} : { events: { hasSome: [filter.event, '*'] } }),
      ...(filter.external_id === undefined ? {} : { externalId: filter.external_id }),
      ...matchMetadata(filter.metadata),
      ...afterCursor(cursor, 'webhookId'),
    },
    include: { health: true },
    orderBy: [{ createdAt: 'desc' }, { webhookId: 'desc' }],
    take: limit + 1,
  })
  return withStatistics(db, rows)
}

type WithHealth = Subscription & { health: Endpoint | null }

async function withStatistics(db: Db, rows: readonly WithHealth[]): Promise<SubscriptionRow[]> {
  const statisticsOf = await readStatistics(
    db,
    rows.map((row) => row.webhookId),
  )
  return rows.map((row) => ({ ...row, statistics: statisticsOf(row.webhookId) }))
}

export type SubscriptionChange = Omit<Prisma.SubscriptionUncheckedUpdateInput, 'webhookId' | 'workspaceId' | 'health'>

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
  change: SubscriptionChange,
  resetTo?: InitialHealth,
): Promise<SubscriptionRow> {
  const where = { workspaceId, webhookId }
  const [now] = await tx.query<{ now: Date }>('SELECT now()')
  const nowAt = now?.now ?? new Date()
  const { status, delivery, endpoint } = await tx.db.subscription.update({
    where,
    data: { ...change, updatedAt: nowAt },
  })
  if (resetTo !== undefined) {
    const { inFlightCap, consecutiveFailures, holds } = resetTo
    await tx.db.endpoint.update({
      where,
      data: {
        ...{ inFlightCap, consecutiveFailures, holds, heldUntil: null, saturatedUntil: null },
        ...{ lastHealthyAt: nowAt, failedAttempts: 0, failingSince: null, authFailures: 0 },
        ...{ triggeredActions: [], pendingActions: [], notifiedAt: null },
        isEnabled: status === 'active' && delivery === 'push',
        destination: destinationOf(endpoint),
      },
    })
    tx.wake(deliveryQueue)
  }
  return findSubscription(tx.db, workspaceId, webhookId)
}

/** Removes a subscription and cancels its pending deliveries. @throws Problem `not_found` */
export async function removeSubscription(tx: Tx, workspaceId: string, webhookId: string): Promise<void> {
  // Every transaction locks in this order: subscription, endpoint, deliveries.
  await lockSubscription(tx, workspaceId, webhookId, 'UPDATE')
  await tx.query('SELECT 1 FROM endpoints WHERE webhook_id = $1 FOR UPDATE', [webhookId])
  await tx.db.subscription.deleteMany({ where: { workspaceId, webhookId } })
  await tx.db.attemptHour.deleteMany({ where: { workspaceId, webhookId } })
  await tx.query(
    `UPDATE deliveries SET status = 'cancelled', next_attempt_at = NULL, updated_at = now()
     WHERE webhook_id = $1 AND status = 'pending'`,
    [webhookId],
  )
}
