import { randomUUID } from 'node:crypto'
import { eventually } from '@wp/testkit'
import type { BenchSubscription, DeliveryFleet } from './delivery-fleet.ts'
import { sampleBody } from './sample-delivery.ts'

/** Creates due deliveries for each subscription. They are not sent until `enableSubscriptions`. */
export async function addBacklog(
  { sql }: DeliveryFleet,
  subscriptions: readonly BenchSubscription[],
  deliveriesEach: number,
): Promise<void> {
  const ids = subscriptions.map(({ id }) => id)
  await sql.query('UPDATE endpoints SET enabled = false WHERE webhook_id = ANY ($1)', [ids])
  await sql.query(
    `INSERT INTO deliveries (request_id, workspace_id, webhook_id, event_id, event_kind, body, status,
       next_attempt_at, occurred_at)
     SELECT 'dlv_' || $3 || n || s.webhook_id, s.workspace_id, s.webhook_id, 'evt_' || $3 || n, 'RECOMMENDATION_CREATED',
       convert_to($4, 'UTF8'), 'pending', now() - interval '1 hour', now() - interval '1 hour'
     FROM subscriptions s CROSS JOIN generate_series(1, $2::int) AS n WHERE s.webhook_id = ANY ($1)`,
    [ids, deliveriesEach, randomUUID(), sampleBody],
  )
  await sql.query('ANALYZE deliveries, endpoints, subscriptions')
}

export async function enableSubscriptions(
  { sql }: DeliveryFleet,
  subscriptions: readonly BenchSubscription[],
): Promise<void> {
  await sql.query(
    `UPDATE endpoints SET enabled = true, next_due_at = now() - interval '1 hour' WHERE webhook_id = ANY ($1)`,
    [subscriptions.map(({ id }) => id)],
  )
}

/** Returns how many requests the receiver has received at a path, see receiver.ts. */
export const countReceived = (fleet: DeliveryFleet, kind = 'ok'): Promise<number> => fleet.receiver.call('count', kind)

/** Waits until the receiver has received a number of requests at `/ok`. */
export const waitForDeliveries = (fleet: DeliveryFleet, count: number): Promise<true> =>
  eventually(async () => (await countReceived(fleet)) >= count, {
    timeoutMs: 120_000,
    intervalMs: 20,
    description: `${count} deliveries`,
  })
