import type { Operation } from '../context.ts'
import { groupHours, parseStatisticsRange } from '../delivery/statistics/statistics-range.ts'
import { summarizeHours } from '../delivery/statistics/summarize-attempts.ts'
import { readAttemptHours } from '../store/subscriptions/statistics.ts'
import { findSubscription } from '../store/subscriptions/subscriptions.ts'

export const getStatistics: Operation<'getStatistics'> = async (
  { database, now, attemptCounts },
  caller,
  { params, query },
) => {
  const range = parseStatisticsRange(query, now())
  await attemptCounts.flush()
  return await database.read(caller, async (db) => {
    const { webhookId } = await findSubscription(db, caller, params.webhook_id)
    const hours = await readAttemptHours(db, webhookId, range)
    const points = groupHours(range, hours).map(({ at, hours: own }) => {
      const { p50Ms, p95Ms } = summarizeHours(own)
      return {
        at: at.toISOString(),
        delivered: own.reduce((sum, { delivered }) => sum + delivered, 0),
        failed: own.reduce((sum, { failed }) => sum + failed, 0),
        latency_p50_ms: p50Ms,
        latency_p95_ms: p95Ms,
      }
    })
    const { since, until, interval } = range
    return { webhook_id: webhookId, since: since.toISOString(), until: until.toISOString(), interval, points }
  })
}
