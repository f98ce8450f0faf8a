import { claimDueDeliveries } from '../../../services/webhook-delivery/src/store/deliveries/claim.ts'
import type { DeliveryFleet } from './delivery-fleet.ts'
import { quantile } from './latency.ts'

/** Deliveries that wait, nearly all of one endpoint, and what a claim costs then. */
export async function measureClaim(
  { sql }: DeliveryFleet,
  { rows, ofTheDead, endpoints }: { rows: number; ofTheDead: number; endpoints: number },
): Promise<Record<string, string | number>[]> {
  await sql.query('TRUNCATE subscriptions, endpoints, deliveries, attempts')
  const result: Record<string, string | number>[] = []
  for (const [dead, healthy] of [
    [0, rows - ofTheDead],
    [ofTheDead, rows - ofTheDead],
  ] as const) {
    await sql.query('TRUNCATE subscriptions, endpoints, deliveries, attempts')
    await insertDeliveries(sql, dead, healthy, endpoints)
    result.push({ rows: dead + healthy, 'of one dead': dead, ...(await measureClaims(sql)) })
  }
  return result
}

async function insertDeliveries(
  sql: DeliveryFleet['sql'],
  dead: number,
  healthy: number,
  endpoints: number,
): Promise<void> {
  await sql.query(
    `INSERT INTO subscriptions (webhook_id, workspace_id, endpoint, events)
     SELECT 'wh_' || n, 'ws_1', 'https://127.0.0.1:8443/', '{*}' FROM generate_series(0, $1::int) AS n`,
    [endpoints],
  )
  await sql.query(
    `INSERT INTO endpoints (webhook_id, workspace_id, next_due_at)
     SELECT 'wh_' || n, 'ws_1', now() - interval '1 hour' FROM generate_series(0, $1::int) AS n`,
    [endpoints],
  )
  // The dead one's are the oldest: whoever claims by age sees nothing else.
  await sql.query(
    `INSERT INTO deliveries (request_id, workspace_id, webhook_id, event_id, event_kind, body, status, next_attempt_at,
       occurred_at)
     SELECT 'dlv_' || n, 'ws_1', CASE WHEN n <= $1 THEN 'wh_0' ELSE 'wh_' || (1 + n % $3) END, 'evt_' || n,
       'PLAN_CHANGED', '{}', 'pending',
       now() - CASE WHEN n <= $1 THEN interval '2 hours' ELSE interval '1 hour' END, now()
     FROM generate_series(1, $1::int + $2::int) AS n`,
    [dead, healthy, endpoints],
  )
  await sql.query('ANALYZE deliveries, endpoints, subscriptions')
}

/** Endpoints fill up as they are claimed from: twenty claims of two hundred rows go once round a thousand of them. */
async function measureClaims(sql: DeliveryFleet['sql']) {
  const times: number[] = []
  let taken = 0
  let ofTheDead = 0
  for (let turn = 0; turn < 60; turn += 1) {
    if (turn % 20 === 0) await sql.query('UPDATE endpoints SET full_until = NULL, in_flight_cap = 16')
    const began = performance.now()
    const claimed = await claimDueDeliveries(sql, {
      free: 200,
      includesFailing: true,
      leaseToken: crypto.randomUUID(),
      leaseSeconds: 600,
    })
    times.push(performance.now() - began)
    taken += claimed.length
    ofTheDead += claimed.filter(({ webhookId }) => webhookId === 'wh_0').length
  }
  const sorted = times.slice(5).sort((a, b) => a - b)
  return {
    claims: times.length,
    taken,
    'taken of the dead': ofTheDead,
    'p50 ms': quantile(sorted, 0.5),
    'p95 ms': quantile(sorted, 0.95),
    'max ms': quantile(sorted, 1),
  }
}
