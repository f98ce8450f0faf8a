import type { Query } from '@wp/database'

/** Disables all subscriptions of a workspace that is deleted: no event is enqueued for them, and no attempt starts. */
export async function stopSubscriptions(query: Query, workspaceId: string): Promise<void> {
  await query(`UPDATE subscriptions SET status = 'disabled', updated_at = now() WHERE workspace_id = $1`, [workspaceId])
  await query('UPDATE endpoints SET is_enabled = false WHERE workspace_id = $1', [workspaceId])
}
