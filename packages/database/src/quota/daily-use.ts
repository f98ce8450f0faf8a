import { type QuotaName, utcDay } from '@wp/contracts'
import { escapeLiteral } from 'pg'
import type { Query } from '../connection/query.ts'
import type { CountedQuota } from './counted-quota.ts'

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
