import type { Query, ScopedClient } from '@wp/database'
import type { PrismaClient } from '#db'
import { emptyHistogram, estimateQuantile, mergeHistograms, toBucket } from '../../delivery/latency-histogram.ts'
import type { EndedAttempt } from '../deliveries/ended-attempt.ts'

/** Statistics tell of this hour and the 24 before it. */
export const windowHours = 24

/** Beyond this it is many, and counting on would cost more than it tells. */
const maxCountedPending = 10_000

/** What is shown of how deliveries to a subscription fare. */
export interface Statistics {
  /** 10,000 stands for any more. */
  pending: number
  nextAttemptAt: Date | null
  /** Of the attempts, 0 to 1; null where there were none. */
  successRate: number | null
  p50Ms: number | null
  p95Ms: number | null
}

const emptyStatistics: Statistics = { pending: 0, nextAttemptAt: null, successRate: null, p50Ms: null, p95Ms: null }

/** Counts attempts that have ended in the hour of the database, whose endpoints the transaction holds. */
export async function addAttemptHours(query: Query, ended: readonly EndedAttempt[]): Promise<void> {
  const rows = [...Map.groupBy(ended.filter(isReceiverResult), ({ claimed }) => claimed.webhookId).values()].map(
    toAttemptHour,
  )
  if (rows.length === 0) return
  await query(
    `INSERT INTO attempt_hours AS known (webhook_id, workspace_id, hour, delivered, failed, latencies)
     SELECT webhook_id, workspace_id, date_trunc('hour', now()), delivered, failed, latencies
     FROM jsonb_to_recordset($1::jsonb)
       AS t (webhook_id text, workspace_id text, delivered int, failed int, latencies int[])
     ORDER BY webhook_id
     ON CONFLICT (webhook_id, hour) DO UPDATE SET delivered = known.delivered + excluded.delivered,
       failed = known.failed + excluded.failed, latencies = ARRAY(
         SELECT a + b FROM unnest(known.latencies, excluded.latencies) WITH ORDINALITY AS t (a, b, bucket) ORDER BY bucket)`,
    [JSON.stringify(rows)],
  )
}

/** What failed on our side says nothing about the receiver. */
const isReceiverResult = ({ attempt }: EndedAttempt): boolean => attempt.errorKind !== 'internal'

function toAttemptHour(own: readonly EndedAttempt[]) {
  const latencies = emptyHistogram()
  const delivered = own.filter(({ result }) => result.outcome === 'delivered')
  for (const { attempt } of delivered) {
    const bucket = toBucket(attempt.timings.total_ms ?? 0)
    latencies[bucket] = (latencies[bucket] ?? 0) + 1
  }
  return {
    webhook_id: own[0]?.claimed.webhookId,
    workspace_id: own[0]?.claimed.workspaceId,
    delivered: delivered.length,
    failed: own.length - delivered.length,
    latencies,
  }
}

/** The statistics of subscriptions: a row an hour each, and a look at the front of their queues. */
export async function readStatistics(
  db: ScopedClient<PrismaClient>,
  webhookIds: readonly string[],
): Promise<(webhookId: string) => Statistics> {
  if (webhookIds.length === 0) return () => emptyStatistics
  const hours = await db.$queryRaw<{ webhook_id: string; delivered: number; failed: number; latencies: number[] }[]>`
    SELECT webhook_id, delivered, failed, latencies FROM attempt_hours
    WHERE webhook_id = ANY (${webhookIds}) AND hour >= date_trunc('hour', now()) - ${windowHours}::int * interval '1 hour'`
  const queues = await db.$queryRaw<{ webhook_id: string; pending: number; next_attempt_at: Date | null }[]>`
    SELECT id AS webhook_id,
      (SELECT count(*)::int FROM (
         SELECT FROM deliveries WHERE webhook_id = id AND status = 'pending' LIMIT ${maxCountedPending}::int) p) AS pending,
      (SELECT greatest(next_attempt_at, e.held_until) FROM deliveries
       WHERE webhook_id = id AND status = 'pending' AND next_attempt_at IS NOT NULL AND lease_token IS NULL AND e.enabled
       ORDER BY next_attempt_at LIMIT 1) AS next_attempt_at
    FROM unnest(${webhookIds}::text[]) AS id JOIN endpoints e ON e.webhook_id = id`
  const hoursById = Map.groupBy(hours, (row) => row.webhook_id)
  const queueById = new Map(queues.map((row) => [row.webhook_id, row]))
  return (webhookId) => {
    const own = hoursById.get(webhookId) ?? []
    const sum = (value: 'delivered' | 'failed') => own.reduce((total, row) => total + row[value], 0)
    const attempts = sum('delivered') + sum('failed')
    const latencies = mergeHistograms(own.map((row) => row.latencies))
    const queue = queueById.get(webhookId)
    return {
      pending: queue?.pending ?? 0,
      nextAttemptAt: queue?.next_attempt_at ?? null,
      successRate: attempts === 0 ? null : Math.round((sum('delivered') / attempts) * 10_000) / 10_000,
      p50Ms: estimateQuantile(latencies, 0.5),
      p95Ms: estimateQuantile(latencies, 0.95),
    }
  }
}
