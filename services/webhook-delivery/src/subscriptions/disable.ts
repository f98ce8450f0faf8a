import { serviceCaller } from '@wp/events'
import type { Context } from '../context.ts'
import type { Claimed } from '../store/claim.ts'

/**
 * Disables the subscription whose receiver answered 410, and says so to the workspace's others. Where its address was
 * changed since, the answer was not about it.
 */
export async function disableGone({ database }: Pick<Context, 'database'>, claimed: Claimed): Promise<void> {
  const { webhookId, workspaceId, requestId, endpoint } = claimed
  const caller = serviceCaller('webhook-delivery', { shard: database.shard, workspaceId, requestId })
  await database.transact(caller, async (tx) => {
    const disabled = await tx.query(
      `UPDATE subscriptions SET status = 'disabled', disabled_reason = 'gone', disabled_at = now(), updated_at = now()
       WHERE webhook_id = $1 AND endpoint = $2 AND status = 'active' RETURNING webhook_id`,
      [webhookId, endpoint],
    )
    if (disabled.length === 0) return
    await tx.query('UPDATE endpoints SET enabled = false WHERE webhook_id = $1', [webhookId])
    tx.emit({ kind: 'WEBHOOK_DISABLED', data: { id: webhookId, status: 'disabled', reason: 'gone' } })
    tx.audit({
      action: 'webhook.disabled',
      targets: [{ type: 'webhook', id: webhookId }],
      changes: { reason: 'gone' },
    })
  })
}
