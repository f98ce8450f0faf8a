import type { Query, Row } from '@wp/database'
import type { UsageCheck as Model } from '#db'

/** Queue that a transaction wakes when it has requested a check. */
export const usageCheckQueue = 'usage_checks'

/** A workspace whose limits must be checked; the version identifies the latest request. */
export type UsageCheck = Row<Model>

/**
 * Requests a check of the limits of workspaces after this transaction, because their use or plan changes in it. Locks
 * the request, so that no check that began before the commit removes it.
 *
 * @param workspaceIds sorted
 */
export const requestUsageChecks = (query: Query, shard: string, workspaceIds: readonly string[]): Promise<unknown> =>
  query(
    `INSERT INTO usage_checks (workspace_id, shard, version)
     SELECT workspace_id, $2, pg_current_xact_id()::text::bigint FROM unnest($1::text[]) AS workspace_id
     ON CONFLICT (workspace_id) DO UPDATE SET version = excluded.version`,
    [workspaceIds, shard],
  )

/** Returns the version of the latest request; undefined without one. Requires the worker role. */
export async function latestUsageCheck(query: Query): Promise<number | undefined> {
  const text = 'SELECT max(version) AS version FROM usage_checks'
  const [row] = await query<{ version: number | null }>(text, [], 'latest_usage_check')
  return row?.version ?? undefined
}

/** Returns the requests that wait longest, up to a version. Requires the worker role. */
export const listUsageChecks = (query: Query, until: number, limit: number): Promise<UsageCheck[]> =>
  query<UsageCheck>(
    `SELECT workspace_id, shard, version FROM usage_checks
     WHERE version <= $1 ORDER BY version, workspace_id LIMIT $2`,
    [until, limit],
  )

/** Deletes requests that were checked, except those requested again since. */
export const deleteUsageChecks = (query: Query, checks: readonly UsageCheck[]): Promise<unknown> =>
  query(
    `DELETE FROM usage_checks c USING unnest($1::text[], $2::bigint[]) AS checked (workspace_id, version)
     WHERE c.workspace_id = checked.workspace_id AND c.version = checked.version`,
    [checks.map(({ workspaceId }) => workspaceId), checks.map(({ version }) => version)],
  )

/**
 * Locks the request of a workspace until the transaction ends. @returns undefined if there is none, or another has it
 */
export async function lockUsageCheck(query: Query, workspaceId: string): Promise<UsageCheck | undefined> {
  const [check] = await query<UsageCheck>(
    `SELECT workspace_id, shard, version FROM usage_checks WHERE workspace_id = $1
     FOR UPDATE SKIP LOCKED`,
    [workspaceId],
  )
  return check
}
