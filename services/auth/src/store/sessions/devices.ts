import type { Query } from '@wp/database'

/** Devices that are remembered for a user; the one that was not used for the longest time makes room. */
const maxDevices = 50

/**
 * Records a sign-in from a device.
 * @param tokenHash undefined for a client that keeps no cookie: nothing is stored, and it is never known
 * @returns `known` if the user has signed in there before, `first` if the user has signed in nowhere, else `new`
 */
export async function recordDevice(
  query: Query,
  userId: string,
  tokenHash: string | undefined,
): Promise<'known' | 'first' | 'new'> {
  const [found] = await query<{ isKnown: boolean; hasAny: boolean }>(
    `SELECT EXISTS (SELECT FROM devices WHERE user_id = $1 AND token_hash = $2) AS is_known,
       EXISTS (SELECT FROM devices WHERE user_id = $1) AS has_any`,
    [userId, tokenHash ?? ''],
  )
  if (tokenHash !== undefined) await storeDevice(query, userId, tokenHash)
  if (found?.isKnown === true) return 'known'
  return found?.hasAny === true ? 'new' : 'first'
}

async function storeDevice(query: Query, userId: string, tokenHash: string): Promise<void> {
  await query(
    `INSERT INTO devices (user_id, token_hash) VALUES ($1, $2)
     ON CONFLICT (user_id, token_hash) DO UPDATE SET last_seen_at = clock_timestamp()`,
    [userId, tokenHash],
  )
  await query(
    `DELETE FROM devices WHERE user_id = $1 AND token_hash IN (
       SELECT token_hash FROM devices WHERE user_id = $1 ORDER BY last_seen_at DESC, token_hash OFFSET $2)`,
    [userId, maxDevices],
  )
}
