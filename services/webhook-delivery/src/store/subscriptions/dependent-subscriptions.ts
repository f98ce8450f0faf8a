import type { Caller } from '@wp/contracts'
import type { Database, Query, Row } from '@wp/database'
import type { Subscription } from '#db'

/** The session of an application: what a subscription that it made depends on. */
export interface ApplicationSession {
  userId: string
  clientId: string
  sessionId: string
}

/** Returns the session of the application that acts for a user; null for every other caller. */
export const applicationSessionOf = ({ principal, credentialId, clientId }: Caller): ApplicationSession | null =>
  clientId === undefined ? null : { userId: principal.id, clientId, sessionId: credentialId }

/** An active subscription that depends on the session of an application. */
export interface DependentSubscription extends Row<Subscription, 'webhookId' | 'workspaceId'> {
  dependsOn: ApplicationSession
}

/**
 * Returns active subscriptions of any workspace that depend on a session, by id; at most `limit` after `after`.
 * @param names only those that depend on these sessions, or on sessions of these users; undefined for all
 */
export async function findDependentSubscriptions(
  pool: Database['worker'],
  names: readonly string[] | undefined,
  { after, limit }: { after: string; limit: number },
): Promise<DependentSubscription[]> {
  const { rows } = await pool.query<DependentSubscription>(
    `SELECT webhook_id, workspace_id, depends_on FROM subscriptions
     WHERE depends_on IS NOT NULL AND status = 'active' AND webhook_id > $1
       AND ($3::text[] IS NULL OR depends_on->>'sessionId' = ANY ($3) OR depends_on->>'userId' = ANY ($3))
     ORDER BY webhook_id LIMIT $2`,
    [after, limit, names ?? null],
  )
  return rows
}

/** Locks a subscription. Returns false if it was removed or does not depend on the session any more. */
export async function lockDependent(query: Query, webhookId: string, sessionId: string): Promise<boolean> {
  const rows = await query(
    `SELECT FROM subscriptions WHERE webhook_id = $1 AND depends_on->>'sessionId' = $2 FOR NO KEY UPDATE`,
    [webhookId, sessionId],
  )
  return rows.length > 0
}
