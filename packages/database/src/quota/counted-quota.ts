import { type LimitedJobKind, type QuotaKey, type QuotaName, type QuotaUsage, quotas } from '@wp/contracts'
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
