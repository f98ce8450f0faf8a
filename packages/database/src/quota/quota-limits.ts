import type { QuotaName } from '@wp/contracts'
import type { Query } from '../connection/query.ts'

/** A limit that differs from the default. */
export interface QuotaLimit {
  quota: QuotaName
  maximum: number
}

/**
 * Sets the limit of one workspace or user, in the database of the service that counts the quota. Requires the worker
 * role.
 *
 * @param maximum null for the default
 */
export async function setQuotaLimit(
  query: Query,
  subject: string,
  quota: QuotaName,
  maximum: number | null,
): Promise<void> {
  if (maximum === null) {
    await query('DELETE FROM platform.quota_limits WHERE subject = $1 AND quota = $2', [subject, quota])
    return
  }
  await query(
    `INSERT INTO platform.quota_limits (subject, quota, maximum) VALUES ($1, $2, $3)
     ON CONFLICT (subject, quota) DO UPDATE SET maximum = excluded.maximum, updated_at = now()`,
    [subject, quota, maximum],
  )
}

/** Returns the limits of a workspace or user that differ from the defaults, by name. */
export const listQuotaLimits = (query: Query, subject: string): Promise<QuotaLimit[]> =>
  query<QuotaLimit>('SELECT quota, maximum FROM platform.quota_limits WHERE subject = $1 ORDER BY quota', [subject])
