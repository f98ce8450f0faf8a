import { createClaimPolicy } from '../../../services/webhook-delivery/src/delivery/claim-policy.ts'
import { claimDueDeliveries } from '../../../services/webhook-delivery/src/store/deliveries/claim.ts'
import { quantile } from '../harness/statistics.ts'
import type { DeliveryFleet } from './delivery-fleet.ts'

interface ClaimSize {
  rows: number
  /** Rows of the endpoint that never responds. */
  unresponsiveRows: number
  /** Number of the other endpoints. */
  endpoints: number
}

/** Measures the time of a claim without and with one endpoint that never responds and has most of the deliveries. */
export async function measureClaim(
  { sql }: DeliveryFleet,
  { rows, unresponsiveRows, endpoints }: ClaimSize,
): Promise<Record<string, string | number>[]> {
  const results: Record<string, string | number>[] = []
  const healthy = rows - unresponsiveRows
  for (const unresponsive of [0, unresponsiveRows]) {
    await sql.query('TRUNCATE subscriptions, endpoints, deliveries, attempts CASCADE')
    await insertDeliveries(sql, unresponsive, healthy, endpoints)
    results.push({ rows: unresponsive + healthy, unresponsive, ...(await measureClaims(sql)) })
  }
  return results
}

async function insertDeliveries(
  sql: DeliveryFleet['sql'],
  unresponsive: number,
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
  // The deliveries of the unresponsive endpoint wh_0 are the oldest, so a claim by age would find only them.
  await sql.query(
    `INSERT INTO deliveries (request_id, workspace_id, webhook_id, event_id, event_kind, body, status, next_attempt_at,
       occurred_at)
     SELECT 'dlv_' || n, 'ws_1', CASE WHEN n <= $1 THEN 'wh_0' ELSE 'wh_' || (1 + n % $3) END, 'evt_' || n,
       'PLAN_CHANGED', '{}', 'pending',
       now() - CASE WHEN n <= $1 THEN interval '2 hours' ELSE interval '1 hour' END, now()
     FROM generate_series(1, $1::int + $2::int) AS n`,
    [unresponsive, healthy, endpoints],
  )
  await sql.query('ANALYZE deliveries, endpoints, subscriptions')
}

/**
 * Measures 60 claims. Claimed deliveries fill up their endpoints, and twenty claims of two hundred rows fill up a
 * thousand endpoints, so they are emptied after every twentieth claim.
 */
async function measureClaims(sql: DeliveryFleet['sql']) {
  const times: number[] = []
  let claimedCount = 0
  let unresponsiveCount = 0
  for (let index = 0; index < 60; index += 1) {
    if (index % 20 === 0) await sql.query('UPDATE endpoints SET full_until = NULL, in_flight_cap = 16')
    const startedAt = performance.now()
    const { claimed } = await claimDueDeliveries(sql, {
      policy: createClaimPolicy([], { concurrency: 512, maxClaimSize: 200 }),
      leaseToken: crypto.randomUUID(),
      leaseSeconds: 600,
    })
    times.push(performance.now() - startedAt)
    claimedCount += claimed.length
    unresponsiveCount += claimed.filter(({ webhookId }) => webhookId === 'wh_0').length
  }
  const sorted = times.slice(5).sort((a, b) => a - b)
  return {
    claims: times.length,
    claimed: claimedCount,
    'claimed of unresponsive': unresponsiveCount,
    'p50 ms': quantile(sorted, 0.5),
    'p95 ms': quantile(sorted, 0.95),
    'max ms': quantile(sorted, 1),
  }
}
