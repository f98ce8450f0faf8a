import type { Database } from '@wp/database'

/**
 * Stores last uses by the id of the API key, service principal or session. An earlier time than the stored one is
 * ignored.
 */
export async function writeLastUsed(pool: Database['worker'], used: ReadonlyMap<string, Date>): Promise<void> {
  const entriesWithPrefix = (prefix: string) => [...used].filter(([id]) => id.startsWith(prefix))
  await updateTable(pool, 'api_keys', 'key_id', entriesWithPrefix('akey_'))
  await updateTable(pool, 'service_principals', 'client_id', entriesWithPrefix('sp_'))
  await updateTable(pool, 'sessions', 'session_id', entriesWithPrefix('ses_'))
}

async function updateTable(
  pool: Database['worker'],
  table: 'api_keys' | 'service_principals' | 'sessions',
  id: 'key_id' | 'client_id' | 'session_id',
  entries: [string, Date][],
): Promise<void> {
  if (entries.length === 0) return
  await pool.query(
    `UPDATE ${table} AS stored SET last_used_at = used.at
     FROM unnest($1::text[], $2::timestamptz[]) AS used (id, at)
     WHERE stored.${id} = used.id AND (stored.last_used_at IS NULL OR stored.last_used_at < used.at)`,
    [entries.map(([key]) => key), entries.map(([, at]) => at)],
  )
}
