import { problem, type SessionTokens } from '@wp/contracts'
import type { Context } from '../context.ts'
import type { Tx } from '../store/client.ts'
import { type ClientGrant, insertSession, type LiveSession } from '../store/sessions/sessions.ts'
import { generateRefreshToken } from './refresh-token.ts'
import { createSessionTokens, type TokenRestriction } from './session-tokens.ts'

/** A successful sign-in. */
export interface SignIn {
  userId: string
  /** `mail`, `google`, `github`, … */
  method: string
  ip?: string | undefined
  userAgent?: string | undefined
  /** Set for a session of a client that the user authorized. */
  grant?: ClientGrant | undefined
  /** Default: now. */
  authenticatedAt?: Date | undefined
  /** True if its access tokens demand a recent authentication for some endpoints; default false. */
  isStepUp?: boolean | undefined
}

/** A new session with its tokens. */
export interface StartedSession {
  session: LiveSession
  refreshToken: string
  accessToken: string
  /** The token response, as of the refresh-token grant. */
  tokens: SessionTokens
}

/**
 * Starts a session in the transaction of the sign-in, so that invalidating the code and creating the session are
 * atomic.
 * @param restriction of the first access token
 * @throws Problem `invalid_login` if the user does not exist or is disabled
 */
export async function startSession(
  context: Context,
  tx: Tx,
  signIn: SignIn,
  restriction: TokenRestriction = {},
): Promise<StartedSession> {
  const refresh = generateRefreshToken()
  const session = await insertSession(tx.query, signIn, refresh.hash)
  if (session === undefined) throw problem('invalid_login')
  const answer = await createSessionTokens(context, session, refresh.text, restriction)
  return { session, refreshToken: refresh.text, accessToken: answer.access_token, tokens: answer }
}
