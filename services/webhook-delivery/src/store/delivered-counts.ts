import type { Database, Query, Row } from '@wp/database'
import type { DeliveredCount } from '#db'

/** Adds to the deliveries of workspaces that are to be reported. Sorted, so that replicas do not deadlock. */
export async function addDeliveredCounts(query: Query, counts: ReadonlyMap<string, number>): Promise<void> {
  if (counts.size === 0) return
  const sorted = [...counts].sort(([first], [second]) => (first < second ? -1 : 1))
  await query(
    `INSERT INTO delivered_counts AS known (workspace_id, delivered) SELECT * FROM unnest($1::text[], $2::integer[])
     ON CONFLICT (workspace_id) DO UPDATE SET delivered = known.delivered + excluded.delivered`,
    [sorted.map(([workspaceId]) => workspaceId), sorted.map(([, delivered]) => delivered)],
    'add_delivered_counts',
  )
}

/** Returns workspaces whose deliveries are to be reported, after the given one, sorted. */
export async function listDeliveredCounts(
  pool: Database['worker'],
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const { rows } = await pool.query<Row<DeliveredCount, 'workspaceId'>>(
    'SELECT workspace_id FROM delivered_counts WHERE workspace_id > $1 ORDER BY workspace_id LIMIT $2',
    [after, limit],
  )
  return rows.map((row) => row.workspaceId)
}

/** Removes the count of a workspace. @returns 0 if another replica has removed it */
export async function takeDeliveredCount(query: Query, workspaceId: string): Promise<number> {
  const [row] = await query<Row<DeliveredCount, 'delivered'>>(
    'DELETE FROM delivered_counts WHERE workspace_id = $1 RETURNING delivered',
    [workspaceId],
  )
  return row?.delivered ?? 0
}
