import type { Database } from '@wp/database'

const tables = ['sessions', 'pending_sign_ins'] as const

/** Deletes up to `limit` expired rows per table. @returns the numbers of deleted rows */
export async function deleteExpiredRows(
  pool: Database['worker'],
  now: Date,
  limit: number,
): Promise<{ table: string; removed: number }[]> {
  const deleted = []
  for (const table of tables) {
    const { rowCount } = await pool.query(
      `DELETE FROM ${table} WHERE ctid IN
         (SELECT ctid FROM ${table} WHERE expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [now, limit],
    )
    deleted.push({ table, removed: rowCount ?? 0 })
  }
  return deleted
}
