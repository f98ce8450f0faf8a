import type { Query } from '@wp/database'

/** Inserts the sign-in of a browser, or extends it. */
export async function storePendingSignIn(query: Query, cookieHash: string, expiresAt: Date): Promise<void> {
  await query(
    `INSERT INTO pending_sign_ins (cookie_hash, expires_at) VALUES ($1, $2)
     ON CONFLICT (cookie_hash) DO UPDATE SET expires_at = excluded.expires_at`,
    [cookieHash, expiresAt],
  )
}

/** Returns true if the browser's sign-in has not expired. */
export async function isPendingSignIn(query: Query, cookieHash: string, now: Date): Promise<boolean> {
  const rows = await query('SELECT 1 FROM pending_sign_ins WHERE cookie_hash = $1 AND expires_at > $2', [
    cookieHash,
    now,
  ])
  return rows.length > 0
}
