import type { Database, Row } from '@wp/database'
import type { Delivery } from '#db'

/** A delivery and the token of its lease. */
export interface Lease extends Row<Delivery, 'requestId'> {
  leaseToken: string
}

/**
 * Returns the SQL condition that takes the lock of those who lease deliveries of an endpoint, which is held until the
 * end of the transaction: a claim, or a fan-out of new deliveries. So they see each other's leases, and the cap holds.
 */
export const leaseLock = (webhookId: string): string => `pg_try_advisory_xact_lock(hashtextextended(${webhookId}, 1))`

/** Returns the request ids of the deliveries that still have these leases. */
export async function findLeased(pool: Database['worker'], leases: readonly Lease[]): Promise<Set<string>> {
  const { rows } = await pool.query<Row<Delivery, 'requestId'>>(
    `SELECT request_id FROM deliveries JOIN unnest($1::text[], $2::text[]) AS lease (request_id, lease_token)
       USING (request_id, lease_token)`,
    [leases.map((lease) => lease.requestId), leases.map((lease) => lease.leaseToken)],
  )
  return new Set(rows.map(({ requestId }) => requestId))
}

/**
 * Extends leases to `leaseSeconds` from now, by the database's clock. A lease that another worker has taken over, or
 * whose delivery has ended, is left unchanged; so is one whose row is locked, because its attempt is being recorded.
 */
export async function renewLeases(
  pool: Database['worker'],
  leases: readonly Lease[],
  leaseSeconds: number,
): Promise<void> {
  await pool.query(
    `UPDATE deliveries SET next_attempt_at = now() + $3 * interval '1 second' WHERE request_id IN (
       SELECT request_id FROM deliveries JOIN unnest($1::text[], $2::text[]) AS lease (request_id, lease_token)
         USING (request_id, lease_token)
       WHERE status = 'pending' AND next_attempt_at IS NOT NULL
       FOR NO KEY UPDATE OF deliveries SKIP LOCKED)`,
    [leases.map((lease) => lease.requestId), leases.map((lease) => lease.leaseToken), leaseSeconds],
  )
}
