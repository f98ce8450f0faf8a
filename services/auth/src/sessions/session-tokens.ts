import type { Scope, SessionTokens } from '@wp/contracts'
import type { LiveSession } from '../store/sessions/sessions.ts'
import type { WorkspacePlacement } from '../store/workspace-placement.ts'
import { issueAccessToken, type TokenIssuer } from '../tokens/access-token.ts'
import { tokenLifetimeSeconds } from '../tokens/signing-key-rotation.ts'

/** Restriction of a session's access token. Without one, it grants all memberships of the user. */
export interface TokenRestriction {
  placement?: WorkspacePlacement | undefined
  scopes?: readonly Scope[] | undefined
  audience?: readonly string[] | undefined
}

/** Creates the token response of a session: a new access token and the given refresh token. */
export async function createSessionTokens(
  issuer: TokenIssuer,
  session: LiveSession,
  refreshToken: string,
  { placement, scopes, audience }: TokenRestriction = {},
): Promise<SessionTokens> {
  const { sessionId, userId, email, expiresAt, refreshExpiresAt, grant } = session
  // An access token must not outlive its session.
  const remainingSeconds = Math.floor((expiresAt.getTime() - issuer.now()) / 1000)
  const lifetimeSeconds = Math.max(1, Math.min(tokenLifetimeSeconds, remainingSeconds))
  const subject = {
    type: 'user' as const,
    id: userId,
    sessionId,
    ...(grant === null ? {} : { clientId: grant.clientId }),
    ...(placement === undefined ? {} : { placement }),
    ...(scopes === undefined ? {} : { scopes }),
  }
  const options = { lifetimeSeconds, ...(audience === undefined ? {} : { audience }) }
  return {
    user: { user_id: userId, email },
    access_token: await issueAccessToken(issuer, subject, options),
    refresh_token: refreshToken,
    token_type: 'Bearer',
    expires_in: lifetimeSeconds,
    refresh_expires_at: refreshExpiresAt.toISOString(),
    ...(scopes === undefined ? {} : { scope: scopes.join(' ') }),
  }
}
