import type { QuotaUsage } from '@wp/contracts'
import type { Query } from '../connection/query.ts'
import { type CountedQuota, readUses } from './counted-quota.ts'

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
