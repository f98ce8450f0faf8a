import type { Transaction } from '@wp/database'
import { serviceCaller } from '@wp/events'
import type { Context } from '../context.ts'
import { adviceFor } from '../delivery/failure-policy.ts'
import type { ClaimedDelivery } from '../store/deliveries/claim.ts'
import { type EndpointWithActions, takePendingActions } from '../store/endpoints/pending-actions.ts'

type Storing = Pick<Context, 'database'>

/**
 * Disables the subscription whose receiver answered 410, and says so to the workspace's others. Where its address was
 * changed since, the answer was not about it.
 */
export async function disableOnGone(context: Storing, claimed: ClaimedDelivery): Promise<void> {
  const { webhookId, requestId, endpoint } = claimed
  await transactAsService(context, claimed, requestId, async (tx) => {
    const [unchanged] = await tx.query(
      'SELECT FROM subscriptions WHERE webhook_id = $1 AND endpoint = $2 FOR NO KEY UPDATE',
      [webhookId, endpoint],
    )
    if (unchanged !== undefined) await disable(tx, webhookId, 'gone')
  })
}

/** Does what was concluded about an endpoint that fails: tells the workspace's others, and may disable it. */
export async function runPendingActions(context: Storing, endpoint: EndpointWithActions): Promise<void> {
  const { webhookId } = endpoint
  await transactAsService(context, endpoint, webhookId, async (tx) => {
    const pendingActions = await takePendingActions(tx, webhookId)
    if (pendingActions === undefined) return
    const { actions, failingSince, authFailures } = pendingActions
    // Several warnings that fall due together are one.
    if (actions.some((each) => each !== 'disable') && failingSince !== null) {
      const data = { failing_since: failingSince.toISOString(), advice: adviceFor({ authFailures }) }
      tx.emit({ kind: 'WEBHOOK_FAILING', data: { id: webhookId, status: 'failing', ...data } })
    }
    if (actions.includes('disable')) await disable(tx, webhookId, 'failing')
  })
}

async function disable(tx: Transaction, webhookId: string, reason: 'gone' | 'failing'): Promise<void> {
  const disabled = await tx.query(
    `UPDATE subscriptions SET status = 'disabled', disabled_reason = $2, disabled_at = now(), updated_at = now()
     WHERE webhook_id = $1 AND status = 'active' RETURNING webhook_id`,
    [webhookId, reason],
  )
  if (disabled.length === 0) return
  await tx.query('UPDATE endpoints SET enabled = false WHERE webhook_id = $1', [webhookId])
  tx.emit({ kind: 'WEBHOOK_DISABLED', data: { id: webhookId, status: 'disabled', reason } })
  tx.audit({ action: 'webhook.disabled', targets: [{ type: 'webhook', id: webhookId }], changes: { reason } })
}

function transactAsService(
  { database }: Storing,
  { workspaceId }: { workspaceId: string },
  requestId: string,
  work: (tx: Transaction) => Promise<void>,
): Promise<void> {
  return database.transact(serviceCaller('webhook-delivery', { shard: database.shard, workspaceId, requestId }), work)
}
