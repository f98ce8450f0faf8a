import type { Query } from '@wp/database'

/** Deletion rules per table. Rows are kept until they can no longer affect a response. Each condition has an index. */
const expiryRules = [
  { table: 'counters', where: `ends_at < now()` },
  { table: 'revoked_tokens', where: `expires_at < now()` },
  { table: 'logins', where: `expires_at < now() - interval '1 hour'` },
  { table: 'login_codes', where: `expires_at < now() - interval '1 hour'` },
  // An hour in which a second use of a code is detected.
  { table: 'authorization_codes', where: `expires_at < now() - interval '1 hour'` },
  // Kept for a week, to tell an expired token from an unknown one.
  { table: 'refresh_tokens', where: `expires_at < now() - interval '7 days'` },
  // An ended session stays until its expiry, so that a replay of its tokens is detected.
  { table: 'sessions', where: `expires_at < now() - interval '7 days'` },
  // An edge that missed more discards its cache. The last change stays, because the numbers continue from it.
  {
    table: 'identity_changes',
    where: `recorded_at < now() - interval '1 hour' AND number < (SELECT max(number) FROM identity_changes)`,
  },
] as const

/** Deletes up to `limit` expired rows per table. @returns the numbers of deleted rows */
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
