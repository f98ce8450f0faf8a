import { type Scope, type SessionTokens, stepUpMaxAgeSeconds } from '@wp/contracts'
import type { AuthenticatedSession, LiveSession } from '../store/sessions/sessions.ts'
import type { WorkspacePlacement } from '../store/workspaces/workspaces.ts'
import { issueAccessToken, type TokenIssuer } from '../tokens/access-token.ts'
import { tokenLifetimeSeconds } from '../tokens/signing-keys.ts'

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
  restriction: TokenRestriction = {},
): Promise<SessionTokens> {
  const { userId, email, refreshExpiresAt } = session
  const { accessToken, lifetimeSeconds } = await createSessionAccessToken(issuer, session, restriction)
  const { scopes } = restriction
  return {
    user: { user_id: userId, email },
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: 'Bearer',
    expires_in: lifetimeSeconds,
    refresh_expires_at: refreshExpiresAt.toISOString(),
    ...(scopes === undefined ? {} : { scope: scopes.join(' ') }),
  }
}

/** Creates an access token of a session. It never outlives the session. */
export async function createSessionAccessToken(
  issuer: TokenIssuer,
  session: AuthenticatedSession,
  { placement, scopes, audience }: TokenRestriction = {},
): Promise<{ accessToken: string; lifetimeSeconds: number }> {
  const { sessionId, userId, expiresAt, authenticatedAt, isStepUp, grant } = session
  const remainingSeconds = Math.floor((expiresAt.getTime() - issuer.now()) / 1000)
  const lifetimeSeconds = Math.max(1, Math.min(tokenLifetimeSeconds, remainingSeconds))
  // Restricted tokens too: otherwise a refresh with a restriction would avoid the step-up. Clients cannot ask their
  // user.
  const demandsStepUp = isStepUp && grant === null
  const subject = {
    type: 'user' as const,
    id: userId,
    sessionId,
    authenticatedAt,
    ...(demandsStepUp ? { maxAuthAgeSeconds: stepUpMaxAgeSeconds } : {}),
    ...(grant === null ? {} : { clientId: grant.clientId }),
    ...(placement === undefined ? {} : { placement }),
    ...(scopes === undefined ? {} : { scopes }),
  }
  const options = { lifetimeSeconds, ...(audience === undefined ? {} : { audience }) }
  return { accessToken: await issueAccessToken(issuer, subject, options), lifetimeSeconds }
}
