import type { Query } from '@wp/database'

/** An access token of a service principal that shall not be good any more. */
export interface RevokedToken {
  /** Its `jti`. */
  tokenId: string
  clientId: string
  expiresAt: Date
}

/** Listed one by one, so many at most: every edge is told of them whenever it asks for the principal. */
const maxListedTokens = 200

/**
 * Revokes one access token until it would have ended. A principal that revokes very many has all of them revoked that
 * were issued until now, this second's among them: tokens carry whole seconds.
 */
export async function revokeAccessToken(query: Query, { tokenId, clientId, expiresAt }: RevokedToken): Promise<void> {
  await query(
    'INSERT INTO revoked_tokens (token_id, principal_id, expires_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    [tokenId, clientId, expiresAt],
  )
  const [liveTokens] = await query<{ count: number }>(
    'SELECT count(*)::int AS count FROM revoked_tokens WHERE principal_id = $1 AND expires_at > now()',
    [clientId],
  )
  if ((liveTokens?.count ?? 0) <= maxListedTokens) return
  await query(
    `UPDATE service_principals SET tokens_valid_after = date_trunc('second', clock_timestamp()) + interval '1 second'
     WHERE client_id = $1`,
    [clientId],
  )
  await query('DELETE FROM revoked_tokens WHERE principal_id = $1', [clientId])
}
