import type { Database, Row, Transaction } from '@wp/database'
import type { Endpoint, Subscription } from '#db'

/** Action that an endpoint's failures trigger: `disable` disables the subscription, the others notify its owner. */
export type FailureAction = 'refused' | 'failing_1_day' | 'failing_3_days' | 'disable'

/** Returns the description of a subscription, or else the host of its endpoint; one that polls may have neither. */
export const subscriptionName = ({ webhookId, description, endpoint }: NamedSubscription): string =>
  description?.trim() || URL.parse(endpoint ?? '')?.host || webhookId

export type NamedSubscription = Row<Subscription, 'webhookId' | 'description' | 'endpoint'>

/** An endpoint with actions that were triggered and not yet executed. */
export type EndpointWithActions = Row<Endpoint, 'webhookId' | 'workspaceId'>

export async function findEndpointsWithActions(
  pool: Database['worker'],
  limit: number,
): Promise<EndpointWithActions[]> {
  const { rows } = await pool.query<EndpointWithActions>(
    `SELECT webhook_id, workspace_id FROM endpoints WHERE pending_actions <> '{}' LIMIT $1`,
    [limit],
  )
  return rows
}

export interface PendingActions extends Row<Endpoint, 'failingSince' | 'authFailures'> {
  /** Of the subscription. */
  name: string
  pendingActions: FailureAction[]
  /** True if the last notice is less than `minNoticeHours` ago, so that none is due. */
  wasNotified: boolean
}

/** Shortest pause between two notices about an endpoint that fails, recovers and fails again. */
const minNoticeHours = 12

/**
 * Removes and returns the pending actions of an endpoint. The transaction executes them and holds subscription and
 * endpoint until it ends.
 *
 * @returns undefined if another replica has executed them, the endpoint has recovered, or the subscription was changed
 *   or disabled
 */
export async function takePendingActions(
  { query }: Pick<Transaction, 'query'>,
  webhookId: string,
): Promise<PendingActions | undefined> {
  const [subscription] = await query<NamedSubscription & Row<Subscription, 'status'>>(
    'SELECT webhook_id, description, endpoint, status FROM subscriptions WHERE webhook_id = $1 FOR NO KEY UPDATE',
    [webhookId],
  )
  const [pending] = await query<Omit<PendingActions, 'name'>>(
    `SELECT pending_actions, failing_since, auth_failures,
       coalesce(notified_at > now() - $2 * interval '1 hour', false) AS was_notified FROM endpoints
     WHERE webhook_id = $1 AND pending_actions <> '{}' FOR NO KEY UPDATE`,
    [webhookId, minNoticeHours],
  )
  if (pending === undefined) return undefined
  await query(`UPDATE endpoints SET pending_actions = '{}' WHERE webhook_id = $1`, [webhookId])
  return subscription?.status === 'active' ? { ...pending, name: subscriptionName(subscription) } : undefined
}

/** Stores that a notice about the endpoint is sent. */
export async function markNotified({ query }: Pick<Transaction, 'query'>, webhookId: string): Promise<void> {
  await query('UPDATE endpoints SET notified_at = now() WHERE webhook_id = $1', [webhookId])
}
