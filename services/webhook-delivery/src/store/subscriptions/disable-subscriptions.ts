import type { Query } from '@wp/database'
import { type NamedSubscription, subscriptionName } from '../endpoints/pending-actions.ts'

/** Locks a subscription. Returns false if it was removed or its endpoint is another one now. */
export async function lockUnchanged(query: Query, webhookId: string, endpoint: string): Promise<boolean> {
  const rows = await query('SELECT FROM subscriptions WHERE webhook_id = $1 AND endpoint = $2 FOR NO KEY UPDATE', [
    webhookId,
    endpoint,
  ])
  return rows.length > 0
}

/**
 * Reason why the platform disabled a subscription: the receiver responded 410, it failed for days, or the session of
 * the application that made it has ended.
 */
export type DisabledReason = 'gone' | 'failing' | 'session_ended'

/** Disables a subscription and its endpoint. @returns its name; undefined if it is disabled already */
export async function disableSubscription(
  query: Query,
  webhookId: string,
  reason: DisabledReason,
): Promise<string | undefined> {
  const [disabled] = await query<NamedSubscription>(
    `UPDATE subscriptions SET status = 'disabled', disabled_reason = $2, disabled_at = now(), updated_at = now()
     WHERE webhook_id = $1 AND status = 'active' RETURNING webhook_id, description, endpoint`,
    [webhookId, reason],
  )
  if (disabled === undefined) return undefined
  await query('UPDATE endpoints SET is_enabled = false WHERE webhook_id = $1', [webhookId])
  return subscriptionName(disabled)
}

/** Disables all subscriptions of a workspace that is deleted: no event is enqueued for them, and no attempt starts. */
export async function stopSubscriptions(query: Query, workspaceId: string): Promise<void> {
  await query(`UPDATE subscriptions SET status = 'disabled', updated_at = now() WHERE workspace_id = $1`, [workspaceId])
  await query('UPDATE endpoints SET is_enabled = false WHERE workspace_id = $1', [workspaceId])
}
