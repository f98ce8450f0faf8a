import type { Database } from '@wp/database'

/** Deletes the notifications of feeds beyond their newest `keep`. @returns the number of deleted rows */
export async function deleteExcessNotifications(
  pool: Database['worker'],
  { keep, limit }: { keep: number; limit: number },
): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM notifications WHERE id IN (
       SELECT n.id FROM feeds f JOIN notifications n ON n.workspace_id = f.workspace_id
         AND n.recipient_id = f.recipient_id AND n.position <= f.last_position - $1 LIMIT $2)`,
    [keep, limit],
  )
  return rowCount ?? 0
}
