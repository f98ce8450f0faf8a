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

/** Endpoints whose new deliveries may be sent at once. */
interface EndpointCandidates {
  webhookIds?: readonly string[]
  /** The first `limit` of these workspaces, by id, with a subscription to one of the kinds. */
  workspaces?: { ids: readonly string[]; kinds: readonly string[]; limit: number }
}

const candidates = `SELECT unnest($1::text[]) AS webhook_id UNION ALL (
  SELECT webhook_id FROM subscriptions WHERE workspace_id = ANY ($2) AND events && array_append($3::text[], '*')
  ORDER BY webhook_id LIMIT $4)`

/**
 * Returns those of the endpoints whose new deliveries can be sent at once, because no other delivery is due there and
 * nothing limits its attempts but the cap. Until the end of the transaction no other one leases deliveries of them.
 */
export async function lockIdleEndpoints(
  query: Query,
  { webhookIds = [], workspaces = { ids: [], kinds: [], limit: 0 } }: EndpointCandidates,
  leaseSeconds: number,
): Promise<IdleEndpoint[]> {
  const values = [webhookIds, workspaces.ids, workspaces.kinds, workspaces.limit]
  // The endpoints are read again once the locks are held, so that the snapshot includes what their last holders have
  // leased. Others are not locked: the claims need them. Nor are the rows: the records of attempts hold them.
  const [locked, idle] = await Promise.all([
    query<{ id: string }>(
      `SELECT id FROM (SELECT webhook_id AS id FROM (${candidates}) candidate JOIN endpoints e USING (webhook_id)
         WHERE ${isIdle} OFFSET 0) idle
       WHERE ${leaseLock('id')}`,
      values,
      'lock_idle_endpoints',
    ),
    query<IdleEndpoint>(
      `SELECT e.webhook_id, coalesce(e.destination, e.webhook_id) AS destination,
         e.in_flight_cap - ${inFlight} AS free_slots,
         e.next_due_at IS NULL OR e.next_due_at > now() + $5 * interval '1 second' AS needs_lease_end,
         s.endpoint, s.headers, s.authentication_sealed, s.secret_sealed,
         ${currentPreviousSecret} AS previous_secret_sealed
       FROM (${candidates}) candidate JOIN endpoints e USING (webhook_id) JOIN subscriptions s USING (webhook_id)
       WHERE s.status = 'active' AND ${isIdle}`,
      [...values, leaseSeconds],
      'find_idle_endpoints',
    ),
  ])
  const own = new Set(locked.map(({ id }) => id))
  return idle.filter(({ webhookId, freeSlots }) => own.has(webhookId) && freeSlots > 0)
}
