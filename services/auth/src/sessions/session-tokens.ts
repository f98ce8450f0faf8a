import type { Scope, SessionTokens } from '@wp/contracts'
import type { Context } from '../context.ts'
import type { LiveSession } from '../store/sessions/sessions.ts'
import { issueAccessToken, type WorkspacePlacement } from '../tokens/access-token.ts'
import { tokenLifetimeSeconds } from '../tokens/signing-key-rotation.ts'

/** What an access token of a session is cut down to; nothing: it may do what its user may, wherever they are a member. */
export interface TokenRestriction {
  placement?: WorkspacePlacement | undefined
  scopes?: readonly Scope[] | undefined
  audience?: readonly string[] | undefined
}

/** What the owner of a session is given: a fresh access token beside their refresh token. */
export async function createSessionTokens(
  context: Pick<Context, 'publicBaseUrl' | 'signingKeys' | 'now'>,
  session: LiveSession,
  refreshToken: string,
  { placement, scopes, audience }: TokenRestriction = {},
): Promise<SessionTokens> {
  const { sessionId, userId, email, expiresAt, refreshExpiresAt } = session
  // no access token outlives its session
  const remainingSeconds = Math.floor((expiresAt.getTime() - context.now()) / 1000)
  const lifetimeSeconds = Math.max(1, Math.min(tokenLifetimeSeconds, remainingSeconds))
  const subject = {
    type: 'user' as const,
    id: userId,
    sessionId,
    ...(placement === undefined ? {} : { placement }),
    ...(scopes === undefined ? {} : { scopes }),
  }
  const options = { lifetimeSeconds, ...(audience === undefined ? {} : { audience }) }
  return {
    user: { user_id: userId, email },
    access_token: await issueAccessToken(context, subject, options),
    refresh_token: refreshToken,
    token_type: 'Bearer',
    expires_in: lifetimeSeconds,
    refresh_expires_at: refreshExpiresAt.toISOString(),
    ...(scopes === undefined ? {} : { scope: scopes.join(' ') }),
  }
}
