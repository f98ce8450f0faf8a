import type { EventFilter, replayableStatuses } from '@wp/contracts'
import type { Database, Query, Row, Transaction } from '@wp/database'
import type { Delivery, Subscription } from '#db'
import { requeueDeliveries } from './requeue.ts'

type ReplayableStatus = (typeof replayableStatuses)[number]

/** The deliveries of a replay: those of a subscription created from `since` (RFC 3339) until before `until`. */
export interface ReplayRange {
  webhookId: string
  since: string
  until: string
  states: ReplayableStatus[]
  /** Only of these kinds; absent for all. */
  kinds?: string[]
}

/** The last delivery a replay has processed. */
export interface ReplayPosition {
  createdAt: string
  requestId: string
}

/** Returns true if a delivery with this body passes the current filter of its subscription. */
export type FilterTest = (filter: EventFilter, body: Buffer) => boolean

export interface ReplayBatchResult {
  /** Deliveries of the range, including those that the filter excludes. */
  matched: number
  enqueued: number
  last: ReplayPosition | undefined
}

/** Returns true if the subscription has at least `limit` pending deliveries. */
export async function hasBacklog(pool: Database['worker'], webhookId: string, limit: number): Promise<boolean> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (
       SELECT FROM deliveries WHERE webhook_id = $1 AND status = 'pending' LIMIT $2
     ) AS waiting`,
    [webhookId, limit],
  )
  return (rows[0]?.count ?? 0) >= limit
}

/**
 * Queues the next deliveries of a replay again, oldest first.
 * @returns `gone` or `disabled` if the subscription was removed or disabled
 */
export async function replayBatch(
  tx: Transaction,
  { webhookId, since, until, states, kinds }: ReplayRange,
  after: ReplayPosition | undefined,
  limit: number,
  passes: FilterTest,
): Promise<ReplayBatchResult | 'gone' | 'disabled'> {
  const [subscription] = await tx.query<Row<Subscription, 'status'> & SubscriptionFilters>(
    'SELECT status, filter, customer_filter FROM subscriptions WHERE webhook_id = $1 FOR NO KEY UPDATE',
    [webhookId],
  )
  if (subscription === undefined) return 'gone'
  if (subscription.status !== 'active') return 'disabled'
  const rows = await tx.query<Row<Delivery, 'requestId' | 'createdAt'>>(
    `SELECT * FROM (${states.map(selectByStatus).join(' UNION ALL ')}) AS found ORDER BY created_at, request_id LIMIT $6`,
    [webhookId, since, until, after?.createdAt ?? since, after?.requestId ?? '', limit, kinds ?? null],
  )
  const requestIds = rows.map((row) => row.requestId)
  const filters = [subscription.filter, subscription.customerFilter].filter((filter) => filter !== null)
  const passing =
    filters.length === 0
      ? requestIds
      : await filterDeliveries(tx, requestIds, (body) => filters.every((filter) => passes(filter, body)))
  const enqueued = await requeueDeliveries(tx, webhookId, passing, 'back')
  const last = rows.at(-1)
  return {
    matched: rows.length,
    enqueued,
    last: last === undefined ? after : { createdAt: last.createdAt.toISOString(), requestId: last.requestId },
  }
}

interface SubscriptionFilters {
  filter: EventFilter | null
  /** Conditions besides the filter, which the workspace has set. */
  customerFilter: EventFilter | null
}

/** Bodies read at a time: each may have 256 KiB. */
const bodiesPerRead = 20

/** Returns the deliveries whose bodies pass. */
async function filterDeliveries(
  tx: Transaction,
  requestIds: readonly string[],
  passes: (body: Buffer) => boolean,
): Promise<string[]> {
  const passing: string[] = []
  for (let start = 0; start < requestIds.length; start += bodiesPerRead) {
    const rows = await tx.query<Row<Delivery, 'requestId'> & { body: Buffer }>(
      'SELECT request_id, body FROM deliveries WHERE request_id = ANY ($1)',
      [requestIds.slice(start, start + bodiesPerRead)],
    )
    passing.push(...rows.filter(({ body }) => passes(body)).map((row) => row.requestId))
  }
  return passing
}

/** One SELECT per status with a literal status, so that the partial index of undelivered deliveries can be used. */
const selectByStatus = (status: ReplayableStatus): string =>
  `(SELECT request_id, created_at FROM deliveries
    WHERE webhook_id = $1 AND status = '${status}' AND created_at >= $2 AND created_at < $3
      AND (created_at, request_id) > ($4, $5) AND ($7::text[] IS NULL OR event_kind = ANY ($7))
    ORDER BY created_at, request_id LIMIT $6)`

/** Bounds the cost of a count. */
const maxCount = 10_000

interface BoundedCount {
  count: number
  /** There are more than `count`. */
  is_lower_bound: boolean
}

/**
 * Counts the deliveries of a subscription created from `since` until before `until` that a replay can send, by status.
 */
export async function countReplayable(
  query: Query,
  webhookId: string,
  { since, until, kinds }: Pick<ReplayRange, 'since' | 'until' | 'kinds'>,
): Promise<Record<ReplayableStatus, BoundedCount>> {
  const [row] = await query<Record<ReplayableStatus, number>>(
    `SELECT ${countByStatus('failed')}, ${countByStatus('skipped')}, ${countByStatus('delivered')}`,
    [webhookId, since, until, maxCount + 1, kinds ?? null],
  )
  const bound = (found = 0) => ({ count: Math.min(found, maxCount), is_lower_bound: found > maxCount })
  return { failed: bound(row?.failed), skipped: bound(row?.skipped), delivered: bound(row?.delivered) }
}

const countByStatus = (status: ReplayableStatus): string => `(SELECT count(*)::int FROM (
  SELECT FROM deliveries WHERE webhook_id = $1 AND status = '${status}' AND created_at >= $2 AND created_at < $3
    AND ($5::text[] IS NULL OR event_kind = ANY ($5)) LIMIT $4
) found) AS ${status}`
