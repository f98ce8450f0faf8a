import {
  type LimitedJobKind,
  type QuotaKey,
  type QuotaName,
  type QuotaUsage,
  quotaExceeded,
  quotas,
  utcDay,
} from '@wp/contracts'
import { escapeLiteral } from 'pg'
import type { Query } from '../connection/query.ts'
import type { Database } from '../database.ts'

/** A quota and how a service counts its use. */
export interface CountedQuota extends QuotaKey {
  /** SQL expression of the current use as bigint; `$1` is the workspace, or the user for a quota of users. */
  count: string
}

/** The limit and the current use of a quota. */
export interface CountedUse {
  limit: number
  current: number
}

/** Creates a quota of the rows of a table that has a `workspace_id`. @param condition SQL; default: all rows */
export const countRows = (quota: QuotaName, table: string, condition = 'true'): CountedQuota => ({
  quota,
  kind: null,
  count: `(SELECT count(*) FROM ${table} WHERE workspace_id = $1 AND ${condition})`,
})

/** Creates the quota of the queued jobs of a kind. @param queue the queue of that kind */
export const countQueuedJobs = (kind: LimitedJobKind, queue: string): CountedQuota => ({
  ...countRows('queued_jobs', 'platform.jobs', `queue = ${escapeLiteral(queue)} AND state = 'queued'`),
  kind,
})

/** Reads limits and uses, in the given order. @param subject the workspace, or the user for quotas of users */
export async function readUses(query: Query, subject: string, counted: readonly CountedQuota[]): Promise<CountedUse[]> {
  const branches = counted.map(
    ({ quota, count }, position) =>
      `SELECT ${position} AS position, ${count}::bigint AS current,
         coalesce(
           (SELECT maximum FROM platform.quota_limits WHERE subject = $1 AND quota = ${escapeLiteral(quota)}),
           (SELECT (quotas ->> ${escapeLiteral(quota)})::bigint FROM platform.plan_limits WHERE workspace_id = $1)
         ) AS maximum`,
  )
  const rows = await query<{ position: number; current: number; maximum: number | null }>(
    `${branches.join(' UNION ALL ')} ORDER BY position`,
    [subject],
  )
  return counted.map(({ quota }, position) => {
    const row = rows[position]
    if (row === undefined) throw new Error(`the use of the quota ${quota} was not counted`)
    return { limit: row.maximum ?? quotas[quota].limit, current: row.current }
  })
}

/** Returns limits and uses as `readQuotaUsage` endpoints respond. @param subject the workspace, or the user */
export async function readQuotaUsage(
  query: Query,
  subject: string,
  counted: readonly CountedQuota[],
): Promise<QuotaUsage[]> {
  const uses = await readUses(query, subject, counted)
  return uses.map(({ limit, current }, position) => {
    const { quota, kind } = counted[position] as CountedQuota // `readUses` returns one use for each
    return { quota, kind, limit, current }
  })
}

/** Creates the operation `readQuotaUsage` of a service: limits and uses of its quotas in the workspace of the call. */
export const quotaUsageOperation =
  (...counted: readonly CountedQuota[]) =>
  async ({ database }: { database: Pick<Database, 'read'> }, { workspaceId }: { workspaceId: string }) => ({
    quotas: await database.read({ workspaceId }, (_db, query) => readQuotaUsage(query, workspaceId, counted)),
  })

/** The quotas whose use is counted from 0 in each UTC day. */
type DailyQuotaName = Extract<QuotaName, 'uploaded_bytes_per_day'>

/** A quota within one day. */
export interface DailyQuota extends CountedQuota {
  /** The UTC date, `YYYY-MM-DD`. */
  day: string
}

/** Creates a quota for the UTC day of a time. @param now milliseconds since 1970 */
export function dailyQuota(quota: DailyQuotaName, now: number): DailyQuota {
  const day = utcDay(now).start.toISOString().slice(0, 10)
  const count = `coalesce((SELECT used FROM platform.quota_usage
    WHERE workspace_id = $1 AND quota = ${escapeLiteral(quota)} AND day = ${escapeLiteral(day)}), 0)`
  return { quota, kind: null, count, day }
}

/**
 * Adds to the use of a day; the first of a day deletes the counts of the days before. Does not check the limit: pass
 * the same quota to `enforceQuotas`.
 *
 * @param amount negative to give back what was reserved and not used
 */
export async function addDailyUse(
  query: Query,
  workspaceId: string,
  { quota, day }: DailyQuota,
  amount: number,
): Promise<void> {
  const [row] = await query<{ isFirst: boolean }>(
    `INSERT INTO platform.quota_usage AS known (workspace_id, quota, day, used) VALUES ($1, $2, $3, greatest(0, $4::bigint))
     ON CONFLICT (workspace_id, quota, day) DO UPDATE SET used = greatest(0, known.used + $4::bigint)
     RETURNING xmax = 0 AS is_first`,
    [workspaceId, quota, day, amount],
  )
  if (row?.isFirst === true)
    await query('DELETE FROM platform.quota_usage WHERE workspace_id = $1 AND quota = $2 AND day < $3', [
      workspaceId,
      quota,
      day,
    ])
}

/** A quota and how much the transaction has added to its use. */
export interface QuotaAddition {
  quota: CountedQuota
  /** Zero or less: nothing is checked, so that a subject over its limit can still change and delete. */
  added: number
}

/**
 * Asserts that what a transaction has added is within the quotas. Call it after the insert, as the last statement of
 * the work: it locks the quotas of the subject until the transaction ends, so that concurrent transactions count each
 * other.
 *
 * @param subject the workspace, or the user for quotas of users
 * @throws Problem `quota_exceeded`
 */
export async function enforceQuotas(query: Query, subject: string, additions: readonly QuotaAddition[]): Promise<void> {
  const growing = additions.filter(({ added }) => added > 0)
  if (growing.length === 0) return
  const counted = growing.map(({ quota }) => quota)
  const uses = await lockAndReadUses(query, subject, counted)
  growing.forEach(({ quota, added }, position) => {
    const use = uses[position]
    if (use !== undefined && use.current > use.limit)
      throw quotaExceeded(quota, { limit: use.limit, current: use.current - added, added })
  })
}

/** Asserts that the one thing a transaction has created is within its quota; see `enforceQuotas`. */
export const enforceQuota = (query: Query, subject: string, quota: CountedQuota): Promise<void> =>
  enforceQuotas(query, subject, [{ quota, added: 1 }])

/** Returns true if one more fits into the quota. Locks it like `enforceQuotas`. */
export async function fitsQuota(query: Query, subject: string, quota: CountedQuota): Promise<boolean> {
  const [use] = await lockAndReadUses(query, subject, [quota])
  return use !== undefined && use.current < use.limit
}

/** Two statements, sent together: the counts need a snapshot taken after the lock. */
async function lockAndReadUses(query: Query, subject: string, counted: readonly CountedQuota[]): Promise<CountedUse[]> {
  const names = counted.map(({ quota, kind }) => JSON.stringify([subject, quota, kind]))
  const lock = 'SELECT pg_advisory_xact_lock(hashtextextended(name, 2)) FROM unnest($1::text[]) AS name'
  const [, uses] = await Promise.all([query(lock, [names], 'lock_quotas'), readUses(query, subject, counted)])
  return uses
}
