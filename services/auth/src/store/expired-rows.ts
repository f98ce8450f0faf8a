import type { Query } from '@wp/database'

/** What is removed, and when: long after it could matter to an answer. Each by an index of its table. */
const expiryRules = [
  { table: 'counters', where: `ends_at < now()` },
  { table: 'revoked_tokens', where: `expires_at < now()` },
  { table: 'logins', where: `expires_at < now() - interval '1 hour'` },
  { table: 'login_codes', where: `expires_at < now() - interval '1 hour'` },
  // For a week more, one that comes too late is told from one that never was.
  { table: 'refresh_tokens', where: `expires_at < now() - interval '7 days'` },
  // An ended session stays until its absolute end: a replay of its tokens is recognised.
  { table: 'sessions', where: `expires_at < now() - interval '7 days'` },
] as const

/** Removes what has ended, at most so many rows of each table. @returns how many of each */
export async function deleteExpiredRows(query: Query, limit: number): Promise<{ table: string; removed: number }[]> {
  const deleted = []
  for (const { table, where } of expiryRules) {
    const rows = await query(
      `DELETE FROM ${table} WHERE ctid IN
         (SELECT ctid FROM ${table} WHERE ${where} LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING 1`,
      [limit],
    )
    deleted.push({ table, removed: rows.length })
  }
  return deleted
}
