import type { Query, Row } from '@wp/database'
import type { Endpoint, Subscription } from '#db'
import { currentPreviousSecret, inFlight } from './claim-rows.ts'
import { leaseLock } from './leases.ts'

/** An endpoint whose new deliveries this transaction may lease, with what the attempts need of its subscription. */
export interface IdleEndpoint
  extends Row<Endpoint, 'webhookId'>,
    Row<Subscription, 'secretSealed' | 'previousSecretSealed' | 'authenticationSealed'> {
  endpoint: string
  destination: string
  headers: Record<string, string>
  /** Attempts that the in-flight cap leaves free. */
  freeSlots: number
  /** True if nothing would look for a lease of now when it expires. */
  needsLeaseEnd: boolean
}

/** SQL condition: endpoint `e` has nothing due, and nothing limits its attempts but the cap. */
const isIdle = `e.is_enabled AND NOT e.is_strict AND NOT e.is_polled AND e.rate_limit IS NULL
  AND e.consecutive_failures = 0 AND coalesce(e.next_due_at > now(), true)
  AND coalesce(greatest(e.held_until, e.saturated_until) <= now(), true)
  AND NOT EXISTS (SELECT FROM due_marks WHERE due_marks.webhook_id = e.webhook_id)`

/**
 * Returns those of the endpoints whose new deliveries can be sent at once, because no other delivery is due there and
 * nothing limits its attempts but the cap. Until the end of the transaction no other one leases deliveries of them.
 */
export async function lockIdleEndpoints(
  query: Query,
  webhookIds: readonly string[],
  leaseSeconds: number,
): Promise<IdleEndpoint[]> {
  // The endpoints are read again once the locks are held, so that the snapshot includes what their last holders have
  // leased. Others are not locked: the claims need them. Nor are the rows: the records of attempts hold them.
  const [locked, idle] = await Promise.all([
    query<{ id: string }>(
      `SELECT id FROM (SELECT webhook_id AS id FROM endpoints e WHERE webhook_id = ANY ($1) AND ${isIdle} OFFSET 0) idle
       WHERE ${leaseLock('id')}`,
      [webhookIds],
      'lock_idle_endpoints',
    ),
    query<IdleEndpoint>(
      `SELECT e.webhook_id, coalesce(e.destination, e.webhook_id) AS destination, e.in_flight_cap - ${inFlight} AS free_slots,
         e.next_due_at IS NULL OR e.next_due_at > now() + $2 * interval '1 second' AS needs_lease_end,
         s.endpoint, s.headers, s.authentication_sealed, s.secret_sealed,
         ${currentPreviousSecret} AS previous_secret_sealed
       FROM endpoints e JOIN subscriptions s USING (webhook_id)
       WHERE e.webhook_id = ANY ($1) AND s.status = 'active' AND ${isIdle}`,
      [webhookIds, leaseSeconds],
      'find_idle_endpoints',
    ),
  ])
  const own = new Set(locked.map(({ id }) => id))
  return idle.filter(({ webhookId, freeSlots }) => own.has(webhookId) && freeSlots > 0)
}
