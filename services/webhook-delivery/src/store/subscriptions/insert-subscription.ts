import { type EventFilter, maxSubscriptionsPerCustomer, problem, type WebhookAuthentication } from '@wp/contracts'
import { countRows, newId } from '@wp/database'
import type { Prisma } from '#db'
import type { Tx } from '../client.ts'
import { destinationOf } from '../endpoints/endpoints.ts'
import type { ApplicationSession } from './dependent-subscriptions.ts'
import { findSubscription, type SubscriptionRow } from './subscriptions.ts'

export const subscriptionQuota = countRows('subscriptions', 'subscriptions')

export const createWebhookId = () => newId('wh')

export type NewSubscriptionRow = Pick<
  Prisma.SubscriptionUncheckedCreateInput,
  'webhookId' | 'workspaceId' | 'endpoint' | 'secretSealed' | 'description' | 'externalId' | 'authenticationSealed'
> & {
  customerId: string | null
  customerFilter: EventFilter | null
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
         authentication, authentication_sealed, created_by, created_by_client, depends_on, customer_id, customer_filter)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $12, $14, $16, $17, $18, $19, $20, $21, $22)
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
      row.customerId,
      row.customerFilter === null ? null : JSON.stringify(row.customerFilter),
    ],
  )
  return findSubscription(tx.db, { workspaceId: row.workspaceId }, row.webhookId)
}

/**
 * Asserts that a customer has no more subscriptions than a portal link may create, so that one customer does not use up
 * the quota of the workspace. Call it after the insert: it locks the customer until the transaction ends.
 * @throws Problem `quota_exceeded`
 */
export async function enforceCustomerLimit({ query }: Tx, workspaceId: string, customerId: string): Promise<void> {
  await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 3))', [JSON.stringify([workspaceId, customerId])])
  const [row] = await query<{ count: number }>(
    'SELECT count(*)::int AS count FROM subscriptions WHERE workspace_id = $1 AND customer_id = $2',
    [workspaceId, customerId],
  )
  const [limit, current] = [maxSubscriptionsPerCustomer, (row?.count ?? 0) - 1]
  if (current < limit) return
  const detail = `You have ${current} webhooks, and can have ${limit} at most; delete one first`
  throw problem('quota_exceeded', { detail, extra: { quota: 'subscriptions', limit, current } })
}
