import type { replayableStatuses } from '@wp/contracts'
import type { ScopedClient } from '@wp/database'
import { Prisma, type PrismaClient } from '#db'

type ReplayableStatus = (typeof replayableStatuses)[number]

/** Bounds the cost of a count. */
const maxCount = 10_000

interface BoundedCount {
  count: number
  /** There are more than `count`. */
  is_lower_bound: boolean
}

/**
 * Counts the deliveries of a subscription created from `since` until before `until` that a replay can send, by status.
 */
export async function countReplayable(
  db: ScopedClient<PrismaClient>,
  webhookId: string,
  { since, until }: { since: string; until: string },
): Promise<Record<ReplayableStatus, BoundedCount>> {
  const count = (status: ReplayableStatus) => Prisma.sql`(SELECT count(*)::int FROM (
    SELECT FROM deliveries WHERE webhook_id = ${webhookId} AND status = ${Prisma.raw(`'${status}'`)}
      AND created_at >= ${since}::timestamptz AND created_at < ${until}::timestamptz LIMIT ${maxCount + 1}::int) AS found)`
  const [row] = await db.$queryRaw<Record<ReplayableStatus, number>[]>`
    SELECT ${count('failed')} AS failed, ${count('skipped')} AS skipped, ${count('delivered')} AS delivered`
  const bound = (found = 0) => ({ count: Math.min(found, maxCount), is_lower_bound: found > maxCount })
  return { failed: bound(row?.failed), skipped: bound(row?.skipped), delivered: bound(row?.delivered) }
}
