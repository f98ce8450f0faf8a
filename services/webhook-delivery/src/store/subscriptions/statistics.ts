import type { Query, Row } from '@wp/database'
import type { AttemptHour, FilteredCount } from '#db'
import type { Db } from '../client.ts'

/** Statistics cover the current hour and the 24 before it. */
export const windowHours = 24

/** Bounds the cost of counting pending deliveries. */
const maxCountedPending = 10_000

/** Attempts at an endpoint within an hour. */
export type HourlyAttempts = Row<AttemptHour, HourlyField>
type HourlyField = 'delivered' | 'failed' | 'latencies' | 'durations'

/** Durations that an hour keeps. */
const maxDurations = 20

/** State of a subscription's queue, and its attempts of the window. */
export interface SubscriptionStatistics {
  /** Pending deliveries; 10,000 stands for any larger number. */
  pending: number
  nextAttemptAt: Date | null
  /** Events that did not pass the filter. */
  filtered: number
  hours: readonly HourlyAttempts[]
}

/** Adds attempts to the current hour, by the database's clock. The transaction holds the endpoints' rows. */
export async function addAttemptHours(
  query: Query,
  attempts: readonly Row<AttemptHour, HourlyField | 'webhookId' | 'workspaceId'>[],
): Promise<void> {
  if (attempts.length === 0) return
  await query(
    `INSERT INTO attempt_hours AS existing (webhook_id, workspace_id, hour, delivered, failed, latencies, durations)
     SELECT "webhookId", "workspaceId", date_trunc('hour', now()), delivered, failed, latencies, durations[:${maxDurations}]
     FROM jsonb_to_recordset($1::jsonb)
       AS t ("webhookId" text, "workspaceId" text, delivered int, failed int, latencies int[], durations float[])
     ORDER BY "webhookId"
     ON CONFLICT (webhook_id, hour) DO UPDATE SET delivered = existing.delivered + excluded.delivered,
       failed = existing.failed + excluded.failed,
       durations = (existing.durations || excluded.durations)[:${maxDurations}], latencies = ARRAY(
         SELECT a + b FROM unnest(existing.latencies, excluded.latencies) WITH ORDINALITY AS t (a, b, bucket)
         ORDER BY bucket)`,
    [JSON.stringify(attempts)],
    'add_attempt_hours',
  )
}

/** Reads the counts of a subscription's attempts in the hours that begin in a time range, oldest first. */
export const readAttemptHours = (
  db: Db,
  webhookId: string,
  { since, until }: { since: Date; until: Date },
): Promise<Row<AttemptHour, HourlyField | 'hour'>[]> =>
  db.attemptHour.findMany({
    where: { webhookId, hour: { gte: since, lt: until } },
    select: { hour: true, delivered: true, failed: true, latencies: true, durations: true },
    orderBy: { hour: 'asc' },
  })

/** Events that did not pass the filter of a subscription. */
export type FilteredEvents = Row<FilteredCount, 'workspaceId' | 'webhookId' | 'filtered'>

/** Adds to the events that did not pass the filters of subscriptions. Sorted, so that replicas do not deadlock. */
export async function addFilteredCounts(query: Query, counts: readonly FilteredEvents[]): Promise<void> {
  if (counts.length === 0) return
  const sorted = counts.toSorted((first, second) => (first.webhookId < second.webhookId ? -1 : 1))
  await query(
    `INSERT INTO filtered_counts AS known (workspace_id, webhook_id, filtered)
     SELECT * FROM unnest($1::text[], $2::text[], $3::integer[])
     ON CONFLICT (webhook_id) DO UPDATE SET filtered = known.filtered + excluded.filtered`,
    [
      sorted.map(({ workspaceId }) => workspaceId),
      sorted.map(({ webhookId }) => webhookId),
      sorted.map(({ filtered }) => filtered),
    ],
    'add_filtered_counts',
  )
}

/** Reads the statistics of subscriptions. Returns a lookup by webhook id. */
export async function readStatistics(
  db: Db,
  webhookIds: readonly string[],
): Promise<(webhookId: string) => SubscriptionStatistics> {
  if (webhookIds.length === 0) return () => ({ pending: 0, nextAttemptAt: null, filtered: 0, hours: [] })
  const hours = await db.$queryRaw<(HourlyAttempts & { webhook_id: string })[]>`
    SELECT webhook_id, delivered, failed, latencies, durations FROM attempt_hours
    WHERE webhook_id = ANY (${webhookIds}) AND hour >= date_trunc('hour', now()) - ${windowHours}::int * interval '1 hour'`
  const queues = await db.$queryRaw<
    { webhook_id: string; pending: number; next_attempt_at: Date | null; filtered: number }[]
  >`
    SELECT e.webhook_id,
      (SELECT count(*)::int FROM (
         SELECT FROM deliveries d WHERE d.webhook_id = e.webhook_id AND status = 'pending' LIMIT ${maxCountedPending}::int) p) AS pending,
      (SELECT greatest(next_attempt_at, e.held_until, e.rate_free_at) FROM deliveries d
       WHERE d.webhook_id = e.webhook_id AND status = 'pending' AND next_attempt_at IS NOT NULL AND lease_token IS NULL AND e.is_enabled
       ORDER BY next_attempt_at LIMIT 1) AS next_attempt_at,
      coalesce((SELECT filtered FROM filtered_counts f WHERE f.webhook_id = e.webhook_id), 0) AS filtered
    FROM endpoints e WHERE e.webhook_id = ANY (${webhookIds})`
  const hoursById = Map.groupBy(hours, (row) => row.webhook_id)
  const queueById = new Map(queues.map((row) => [row.webhook_id, row]))
  return (webhookId) => {
    const queue = queueById.get(webhookId)
    return {
      pending: queue?.pending ?? 0,
      nextAttemptAt: queue?.next_attempt_at ?? null,
      filtered: queue?.filtered ?? 0,
      hours: hoursById.get(webhookId) ?? [],
    }
  }
}
