import type { Database, Transaction } from '@wp/database'
import type { ReplayDetail, ReplayedState, ReplayInput } from '../../replays/replay.ts'
import { requeueDeliveries } from './requeue.ts'

/** Whether so many deliveries of a subscription wait, or more. */
export async function hasBacklog(pool: Database['worker'], webhookId: string, limit: number): Promise<boolean> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (
       SELECT FROM deliveries WHERE webhook_id = $1 AND status = 'pending' LIMIT $2
     ) AS waiting`,
    [webhookId, limit],
  )
  return (rows[0]?.count ?? 0) >= limit
}

export interface ReplayBatchResult {
  matched: number
  enqueued: number
  last: ReplayDetail['last']
}

/**
 * Puts the next deliveries of a replay into the queue, the oldest first.
 * @returns why it cannot go on, where the subscription is not there or disabled
 */
export async function replayBatch(
  tx: Transaction,
  { webhookId, since, until, states }: ReplayInput,
  after: ReplayDetail['last'],
  limit: number,
): Promise<ReplayBatchResult | 'gone' | 'disabled'> {
  const [subscription] = await tx.query<{ status: string }>(
    'SELECT status FROM subscriptions WHERE webhook_id = $1 FOR NO KEY UPDATE',
    [webhookId],
  )
  if (subscription === undefined) return 'gone'
  if (subscription.status !== 'active') return 'disabled'
  const rows = await tx.query<{ request_id: string; created_at: Date }>(
    `SELECT * FROM (${states.map(selectByStatus).join(' UNION ALL ')}) AS found ORDER BY created_at, request_id LIMIT $6`,
    [webhookId, since, until, after?.createdAt ?? since, after?.requestId ?? '', limit],
  )
  const enqueued = await requeueDeliveries(
    tx,
    webhookId,
    rows.map((row) => row.request_id),
    'behind',
  )
  const last = rows.at(-1)
  return {
    matched: rows.length,
    enqueued,
    last: last === undefined ? after : { createdAt: last.created_at.toISOString(), requestId: last.request_id },
  }
}

/** A part for each state, its name written out, so that the index of what did not arrive serves where it can. */
const selectByStatus = (state: ReplayedState): string =>
  `(SELECT request_id, created_at FROM deliveries
    WHERE webhook_id = $1 AND status = '${state}' AND created_at >= $2 AND created_at < $3
      AND (created_at, request_id) > ($4, $5)
    ORDER BY created_at, request_id LIMIT $6)`
