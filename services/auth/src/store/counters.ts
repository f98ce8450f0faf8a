import { problem } from '@wp/contracts'
import type { Query } from '@wp/database'

/** A fixed-window limit. */
export interface RateLimit {
  /** For example `mail:<address>`. Stored as plain text, so it must not contain a secret. */
  key: string
  quota: number
  windowSeconds: number
}

/** State of a limit after an increment or a read. */
export interface CounterStatus {
  key: string
  isExceeded: boolean
  /** Uses left in this window. */
  remaining: number
  /** Whole seconds until the window ends, at least 1. */
  resetSeconds: number
}

interface CounterRow {
  key: string
  count: number
  seconds: number
}

/**
 * Increments all counters once, or none if one limit is exceeded. A window starts with its first increment, by the
 * clock of the database. The upsert locks the row, so concurrent calls never admit more than the quota. If one limit
 * rejects the use, the other counters include the rejected use until they are decremented again.
 * @param query `tx.query`, so that the increments commit with the transaction and lock the rows until then; or
 *   `workerQuery`
 * @param limits without duplicate keys
 * @returns the statuses in the order of `limits`
 */
export async function incrementCounters(query: Query, limits: readonly RateLimit[]): Promise<CounterStatus[]> {
  // The count stops at quota + 1, which means "exceeded": it distinguishes a rejected use from the last admitted one.
  const rows = await query<CounterRow>(
    `INSERT INTO counters AS stored (key, count, ends_at)
     SELECT key, 1, date_trunc('milliseconds', clock_timestamp()) + make_interval(secs => seconds)
     FROM unnest($1::text[], $2::int[], $3::float8[]) AS requested (key, quota, seconds) ORDER BY key
     ON CONFLICT (key) DO UPDATE SET
       count = CASE WHEN stored.ends_at <= clock_timestamp() THEN 1
         ELSE least(stored.count, (SELECT quota FROM unnest($1::text[], $2::int[]) AS q (key, quota) WHERE q.key = stored.key)) + 1 END,
       ends_at = CASE WHEN stored.ends_at <= clock_timestamp() THEN excluded.ends_at ELSE stored.ends_at END
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

/** Reverts an increment, for example because the attempt turned out not to be a failure. */
export async function decrementCounters(query: Query, limits: readonly RateLimit[]): Promise<void> {
  await query(
    `UPDATE counters AS stored SET count = greatest(0, least(stored.count, requested.quota) - 1)
     FROM unnest($1::text[], $2::int[]) AS requested (key, quota)
     WHERE stored.key = requested.key AND stored.ends_at > clock_timestamp()`,
    [limits.map(({ key }) => key), limits.map(({ quota }) => quota)],
  )
}

/** Reads the statuses without counting. `isExceeded` is true if an increment would be rejected. */
export async function readCounters(query: Query, limits: readonly RateLimit[]): Promise<CounterStatus[]> {
  const rows = await query<CounterRow>(
    `SELECT key, count, extract(epoch FROM ends_at - clock_timestamp())::float8 AS seconds
     FROM counters WHERE key = ANY ($1) AND ends_at > clock_timestamp()`,
    [limits.map(({ key }) => key)],
  )
  return toStatuses(limits, rows, (row, quota) => row.count >= quota)
}

/**
 * Throws if a limit is exceeded.
 * @param subject start of the error detail, for example "Too many invitations were sent"
 * @param headerFields additional header fields of the error response
 * @throws Problem `rate_limited`; `Retry-After` is the longest reset time of the exceeded limits
 */
export function throwIfExceeded(
  statuses: readonly CounterStatus[],
  subject: string,
  headerFields: Record<string, string> = {},
): void {
  const exceeded = statuses.filter(({ isExceeded }) => isExceeded)
  if (exceeded.length === 0) return
  const seconds = Math.max(...exceeded.map(({ resetSeconds }) => resetSeconds))
  const headers = { 'retry-after': String(seconds), ...headerFields }
  const wait = seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`
  throw problem('rate_limited', { detail: `${subject}; retry in ${wait}`, headers })
}

/** Limits with their status, by the names used in the response headers. */
export type NamedLimits = Readonly<Record<string, { limit: RateLimit; status: CounterStatus }>>

/** The rate-limit header fields of a response. */
export type RateLimitHeaders = Record<'ratelimit' | 'ratelimit-policy', string>

/** Returns the rate-limit header fields (draft-ietf-httpapi-ratelimit-headers). */
export function rateLimitHeaders(limits: NamedLimits): RateLimitHeaders {
  const named = Object.entries(limits)
  const policies = named.map(([name, { limit }]) => `"${name}";q=${limit.quota};w=${limit.windowSeconds}`)
  const statuses = named.map(([name, { status }]) => `"${name}";r=${status.remaining};t=${status.resetSeconds}`)
  return { 'ratelimit-policy': policies.join(', '), ratelimit: statuses.join(', ') }
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
