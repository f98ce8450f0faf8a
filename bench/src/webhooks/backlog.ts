import { randomUUID } from 'node:crypto'
import { eventually } from '@wp/testkit'
import type { BenchSubscription, DeliveryFleet } from './delivery-fleet.ts'

/** The body of a typical delivery. */
export const sampleBody = JSON.stringify({
  event: 'RECOMMENDATION_CREATED',
  workspace_id: 'ws_01h455vb4pex5vsknk084sn02q',
  request_id: 'dlv_01h455vb4pex5vsknk084sn02q',
  payload: {
    id: 'rec_01h455vb4pex5vsknk084sn02q',
    status: 'open',
    occurred_at: '2026-01-01T00:00:00.000Z',
    forecast_run_id: 'fr_01h455vb4pex5vsknk084sn02q',
    kind: 'capacity',
    title: 'x'.repeat(200),
  },
})

/** Creates due deliveries for each subscription. They are not sent until `enableSubscriptions`. */
export async function addBacklog(
  { sql }: DeliveryFleet,
  subscriptions: readonly BenchSubscription[],
  deliveriesEach: number,
): Promise<void> {
  const ids = subscriptions.map(({ id }) => id)
  await sql.query('UPDATE endpoints SET is_enabled = false WHERE webhook_id = ANY ($1)', [ids])
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

export const enableSubscriptions = ({ sql }: DeliveryFleet, subscriptions: readonly BenchSubscription[]) =>
  sql.query(
    `UPDATE endpoints SET is_enabled = true, next_due_at = now() - interval '1 hour' WHERE webhook_id = ANY ($1)`,
    [subscriptions.map(({ id }) => id)],
  )

/** Returns how many requests the receiver has received at a path, see receiver.ts. */
export const countReceived = (fleet: DeliveryFleet, kind = 'ok'): Promise<number> => fleet.receiver.call('count', kind)

/** Waits until the receiver has received a number of requests at `/ok`. */
export async function waitForDeliveries(fleet: DeliveryFleet, count: number): Promise<void> {
  const options = { timeoutMs: 120_000, intervalMs: 20, description: `${count} deliveries` }
  await eventually(async () => (await countReceived(fleet)) >= count, options)
}
