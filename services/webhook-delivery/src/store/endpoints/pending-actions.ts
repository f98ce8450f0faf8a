import type { Database, Transaction } from '@wp/database'
import type { FailureAction } from '../../delivery/failure-policy.ts'

/** An endpoint for which something was concluded that is not yet done. */
export interface EndpointWithActions {
  webhookId: string
  workspaceId: string
}

export async function findEndpointsWithActions(
  pool: Database['worker'],
  limit: number,
): Promise<EndpointWithActions[]> {
  const { rows } = await pool.query<EndpointWithActions>(
    `SELECT webhook_id AS "webhookId", workspace_id AS "workspaceId" FROM endpoints WHERE owed <> '{}' LIMIT $1`,
    [limit],
  )
  return rows
}

export interface PendingActions {
  actions: FailureAction[]
  failingSince: Date | null
  authFailures: number
}

/**
 * Takes what is owed, to be done in this transaction, which holds subscription and endpoint until it ends. Undefined
 * when nothing is any more: another replica has done it, it was well meanwhile, or somebody changed or disabled it.
 */
export async function takePendingActions(
  { query }: Transaction,
  webhookId: string,
): Promise<PendingActions | undefined> {
  const subscription = await query<{ status: string }>(
    'SELECT status FROM subscriptions WHERE webhook_id = $1 FOR NO KEY UPDATE',
    [webhookId],
  )
  const [pendingActions] = await query<PendingActions>(
    `SELECT owed AS actions, failing_since AS "failingSince", refusals AS "authFailures" FROM endpoints
     WHERE webhook_id = $1 AND owed <> '{}' FOR NO KEY UPDATE`,
    [webhookId],
  )
  if (pendingActions === undefined) return undefined
  await query(`UPDATE endpoints SET owed = '{}' WHERE webhook_id = $1`, [webhookId])
  return subscription[0]?.status === 'active' ? pendingActions : undefined
}
