import { invalidField, maxStatisticsDays } from '@wp/contracts'
import type { Operation } from '../context.ts'
import { summarizeHours } from '../delivery/summarize-attempts.ts'
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

const hourMs = 3_600_000
const intervalMs = { hour: hourMs, day: 24 * hourMs } as const
const defaultRangeMs = 24 * hourMs
const maxRangeMs = maxStatisticsDays * 24 * hourMs

/** The time range of statistics, and the length of its intervals. */
interface StatisticsRange {
  /** Start of an hour or day (UTC). */
  since: Date
  /** Not included. */
  until: Date
  interval: keyof typeof intervalMs
}

/**
 * Completes a range with its defaults: up to the end of the current hour, so that repeated requests have the same
 * answer, from 24 hours before. It begins with a whole hour or day.
 * @throws Problem `validation_failed` if it is empty or too long
 */
function parseStatisticsRange(
  query: { since?: string | undefined; until?: string | undefined; interval: keyof typeof intervalMs },
  nowMs: number,
): StatisticsRange {
  const untilMs = query.until === undefined ? nowMs - (nowMs % hourMs) + hourMs : Date.parse(query.until)
  const sinceMs = query.since === undefined ? untilMs - defaultRangeMs : Date.parse(query.since)
  if (sinceMs >= untilMs) throw invalidField('?since', 'must be before `until`, by default the end of the current hour')
  if (untilMs - sinceMs > maxRangeMs)
    throw invalidField('?since', `must be at most ${maxStatisticsDays} days before \`until\``)
  const lengthMs = intervalMs[query.interval]
  return { since: new Date(sinceMs - (sinceMs % lengthMs)), until: new Date(untilMs), interval: query.interval }
}

/** Groups hourly counts by interval. Every interval of the range has its group, which may be empty. */
function groupHours<Hour extends { hour: Date }>(
  { since, until, interval }: StatisticsRange,
  hours: readonly Hour[],
): { at: Date; hours: Hour[] }[] {
  const lengthMs = intervalMs[interval]
  const startOf = ({ hour }: Hour) => hour.getTime() - (hour.getTime() % lengthMs)
  const byStart = Map.groupBy(hours, startOf)
  const count = Math.ceil((until.getTime() - since.getTime()) / lengthMs)
  return Array.from({ length: count }, (_, index) => {
    const start = since.getTime() + index * lengthMs
    return { at: new Date(start), hours: byStart.get(start) ?? [] }
  })
}
