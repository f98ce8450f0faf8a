import type { Query } from '@wp/database'
import type { RevokedToken } from '#db'

/** Maximum of individually revoked tokens: the list is part of every resolution of the principal. */
const maxListedTokens = 200

/**
 * Revokes one access token until it expires. If a principal exceeds `maxListedTokens`, revokes all its tokens issued
 * until now, including those of the current second, because the issue time has whole seconds.
 */
export async function revokeAccessToken(query: Query, { tokenId, clientId, expiresAt }: RevokedToken): Promise<void> {
  await query(
    'INSERT INTO revoked_tokens (token_id, client_id, expires_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    [tokenId, clientId, expiresAt],
  )
  const [liveTokens] = await query<{ count: number }>(
    'SELECT count(*)::int AS count FROM revoked_tokens WHERE client_id = $1 AND expires_at > now()',
    [clientId],
  )
  if ((liveTokens?.count ?? 0) <= maxListedTokens) return
  await query(
    `UPDATE service_principals SET tokens_valid_after = date_trunc('second', clock_timestamp()) + interval '1 second'
     WHERE client_id = $1`,
    [clientId],
  )
  await query('DELETE FROM revoked_tokens WHERE client_id = $1', [clientId])
}
