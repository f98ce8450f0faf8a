import type { Scope, SessionAnswer } from '@wp/contracts'
import type { Context } from '../context.ts'
import type { LiveSession } from '../store/sessions.ts'
import { type Home, issueAccessToken } from '../tokens/access-token.ts'
import { tokenLifetimeSeconds } from '../tokens/rotation.ts'

/** What an access token of a session is cut down to; nothing: it may do what its user may, wherever they are a member. */
export interface Narrowing {
  home?: Home | undefined
  scopes?: readonly Scope[] | undefined
  audience?: readonly string[] | undefined
}

/** What the owner of a session is given: a fresh access token beside their refresh token. */
export async function sessionAnswer(
  context: Pick<Context, 'base' | 'signingKeys' | 'now'>,
  session: LiveSession,
  refreshToken: string,
  { home, scopes, audience }: Narrowing = {},
): Promise<SessionAnswer> {
  const { sessionId, userId, email, expiresAt, refreshExpiresAt } = session
  // no access token outlives its session
  const left = Math.floor((expiresAt.getTime() - context.now()) / 1000)
  const lifetimeSeconds = Math.max(1, Math.min(tokenLifetimeSeconds, left))
  const subject = {
    type: 'user' as const,
    id: userId,
    sessionId,
    ...(home === undefined ? {} : { home }),
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
