import { problem } from '@wp/contracts'
import type { Query } from '@wp/database'

/** What is counted, and how often it may happen in a window. */
export interface RateLimit {
  /** For example `mail:<address>`. Nothing secret: it is kept as it is. */
  key: string
  quota: number
  windowSeconds: number
}

/** How a limit stands after something was counted, or was not because a limit was used up. */
export interface CounterStatus {
  key: string
  isExceeded: boolean
  /** How often it may still happen in this window. */
  remaining: number
  /** Whole seconds until the window ends, at least one. */
  resetSeconds: number
}

interface CounterRow {
  key: string
  count: number
  seconds: number
}

/**
 * Counts once against every limit, or, where one is used up, against none. Windows begin with what is counted first in
 * them; the time is the database's. However many count at once, no more than the quota are admitted: an upsert holds the
 * row. While one limit refuses, the others it was asked with count the refused one for an instant.
 *
 * Takes `tx.query` (the counts then hold with the transaction, and their rows are held until it ends) or a function over
 * the worker pool. A key must not be given twice.
 * @returns in the order asked
 */
export async function incrementCounters(query: Query, limits: readonly RateLimit[]): Promise<CounterStatus[]> {
  // One above the quota says "used up" and counts as the quota: so who was refused is told from who came last.
  const rows = await query<CounterRow>(
    `INSERT INTO counters AS kept (key, count, ends_at)
     SELECT key, 1, date_trunc('milliseconds', clock_timestamp()) + make_interval(secs => seconds)
     FROM unnest($1::text[], $2::int[], $3::float8[]) AS asked (key, quota, seconds) ORDER BY key
     ON CONFLICT (key) DO UPDATE SET
       count = CASE WHEN kept.ends_at <= clock_timestamp() THEN 1
         ELSE least(kept.count, (SELECT quota FROM unnest($1::text[], $2::int[]) AS q (key, quota) WHERE q.key = kept.key)) + 1 END,
       ends_at = CASE WHEN kept.ends_at <= clock_timestamp() THEN excluded.ends_at ELSE kept.ends_at END
     RETURNING key, count, extract(epoch FROM ends_at - clock_timestamp())::float8 AS seconds`,
    [limits.map(({ key }) => key), limits.map(({ quota }) => quota), limits.map(({ windowSeconds }) => windowSeconds)],
  )
  const statuses = toStatuses(limits, rows, (row, quota) => row.count > quota)
  const accepted = statuses.filter(({ isExceeded }) => !isExceeded)
  if (accepted.length === statuses.length || accepted.length === 0) return statuses
  await decrementCounters(
    query,
    limits.filter((_, index) => statuses[index]?.isExceeded === false),
  )
  return statuses.map((one) => (one.isExceeded ? one : { ...one, remaining: one.remaining + 1 }))
}

/** Takes back what was counted, for example because it turned out to be no failure. */
export async function decrementCounters(query: Query, limits: readonly RateLimit[]): Promise<void> {
  await query(
    `UPDATE counters AS kept SET count = greatest(0, least(kept.count, asked.quota) - 1)
     FROM unnest($1::text[], $2::int[]) AS asked (key, quota)
     WHERE kept.key = asked.key AND kept.ends_at > clock_timestamp()`,
    [limits.map(({ key }) => key), limits.map(({ quota }) => quota)],
  )
}

/** How limits stand, without counting. `isExceeded`: counting now would be refused. */
export async function readCounters(query: Query, limits: readonly RateLimit[]): Promise<CounterStatus[]> {
  const rows = await query<CounterRow>(
    `SELECT key, count, extract(epoch FROM ends_at - clock_timestamp())::float8 AS seconds
     FROM counters WHERE key = ANY ($1) AND ends_at > clock_timestamp()`,
    [limits.map(({ key }) => key)],
  )
  return toStatuses(limits, rows, (row, quota) => row.count >= quota)
}

/**
 * Refuses where a limit is used up, until the last of those that are may admit again.
 * @param what was asked for too often, as the caller is told
 * @param fields further header fields
 * @throws Problem `rate_limited` with `Retry-After`
 */
export function throwIfExceeded(
  counted: readonly CounterStatus[],
  what: string,
  fields: Record<string, string> = {},
): void {
  const exceeded = counted.filter(({ isExceeded }) => isExceeded)
  if (exceeded.length === 0) return
  const seconds = Math.max(...exceeded.map(({ resetSeconds }) => resetSeconds))
  const headers = { 'retry-after': String(seconds), ...fields }
  throw problem('rate_limited', { detail: `${what}; wait ${seconds} s`, headers })
}

function toStatuses(
  limits: readonly RateLimit[],
  rows: readonly CounterRow[],
  isExceeded: (row: CounterRow, quota: number) => boolean,
): CounterStatus[] {
  const byKey = new Map(rows.map((row) => [row.key, row]))
  return limits.map(({ key, quota, windowSeconds }) => {
    const row = byKey.get(key) ?? { key, count: 0, seconds: windowSeconds }
    return {
      key,
      isExceeded: isExceeded(row, quota),
      remaining: Math.max(0, quota - row.count),
      resetSeconds: Math.max(1, Math.ceil(row.seconds)),
    }
  })
}
