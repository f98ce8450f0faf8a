import type { EventFilter, WebhookAuthentication } from '@wp/contracts'
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
