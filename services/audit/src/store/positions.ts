import type { Database, Query } from '@wp/database'
import type { ChainHead } from './record-types.ts'

/** Returns the positions of the oldest record that is kept and of the newest one; 0 without any. */
export async function readChainBounds(query: Query, workspaceId: string): Promise<{ oldest: number; head: number }> {
  const [bounds] = await query<{ oldest: number; head: number }>(
    `SELECT coalesce((SELECT min(seq) FROM audit_records WHERE workspace_id = $1), 0) AS oldest,
       coalesce((SELECT seq FROM audit_chains WHERE workspace_id = $1), 0) AS head`,
    [workspaceId],
  )
  return bounds ?? { oldest: 0, head: 0 }
}

/** Records that may have been appended a little out of the order of their times. */
const maxReordered = 200

/**
 * Returns the lowest position among the records that occurred first from a time on. Records are appended as their
 * events arrive, so a younger record may have a lower position than an older one.
 */
export async function findFirstSince(query: Query, workspaceId: string, since: string): Promise<number | undefined> {
  const [found] = await query<{ seq: number | null }>(
    `SELECT min(seq) AS seq FROM (
       SELECT seq FROM audit_records WHERE workspace_id = $1 AND occurred_at >= $2
       ORDER BY occurred_at, id LIMIT ${maxReordered}) first`,
    [workspaceId, since],
  )
  return found?.seq ?? undefined
}

/** Returns the positions of the newest records of workspaces; a workspace without a chain is left out. */
export async function listHeadSeqs(
  pool: Database['worker'],
  workspaceIds: readonly string[],
): Promise<({ workspaceId: string } & Pick<ChainHead, 'seq'>)[]> {
  const { rows } = await pool.query<{ workspaceId: string; seq: number }>(
    'SELECT workspace_id, seq FROM audit_chains WHERE workspace_id = ANY ($1)',
    [workspaceIds],
  )
  return rows
}
