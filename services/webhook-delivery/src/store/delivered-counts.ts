import type { Database, Query, Row } from '@wp/database'
import type { DeliveredCount } from '#db'

/**
 * Adds to the deliveries of workspaces that are to be reported. Adds rows, so that it never waits for the report: it
 * runs in the transactions that count attempts, for which the records of others wait.
 */
export async function addDeliveredCounts(query: Query, counts: ReadonlyMap<string, number>): Promise<void> {
  if (counts.size === 0) return
  await query(
    'INSERT INTO delivered_counts (workspace_id, delivered) SELECT * FROM unnest($1::text[], $2::integer[])',
    [[...counts.keys()], [...counts.values()]],
    'add_delivered_counts',
  )
}

/** Returns workspaces whose deliveries are to be reported, after the given one, sorted. */
export async function listDeliveredCounts(
  pool: Database['worker'],
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const { rows } = await pool.query<Row<DeliveredCount, 'workspaceId'>>(
    'SELECT DISTINCT workspace_id FROM delivered_counts WHERE workspace_id > $1 ORDER BY workspace_id LIMIT $2',
    [after, limit],
  )
  return rows.map((row) => row.workspaceId)
}

/** Removes the counts of a workspace. @returns their sum, without what another replica has removed */
export async function takeDeliveredCount(query: Query, workspaceId: string): Promise<number> {
  const rows = await query<Row<DeliveredCount, 'delivered'>>(
    'DELETE FROM delivered_counts WHERE workspace_id = $1 RETURNING delivered',
    [workspaceId],
  )
  return rows.reduce((sum, { delivered }) => sum + delivered, 0)
}
