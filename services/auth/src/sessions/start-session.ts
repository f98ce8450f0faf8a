import { problem, type SessionTokens } from '@wp/contracts'
import type { Context } from '../context.ts'
import { insertSession, type LiveSession } from '../store/sessions/sessions.ts'
import type { Tx } from '../store/transaction.ts'
import { generateRefreshToken } from './refresh-token.ts'
import { createSessionTokens } from './session-tokens.ts'

/** How somebody signed in, and from where. */
export interface SignIn {
  userId: string
  /** `mail`, `google`, `github`, … */
  method: string
  ip?: string | undefined
  userAgent?: string | undefined
}

/** A session that has just begun, with everything its owner is given. */
export interface StartedSession {
  session: LiveSession
  refreshToken: string
  accessToken: string
  /** Form B's `data`. */
  tokens: SessionTokens
}

/**
 * Begins a session in the transaction of the sign-in, so that a code is used up and the session there, or neither.
 * @throws Problem `invalid_login` for a user who does not exist or is disabled
 */
export async function startSession(context: Context, tx: Tx, signIn: SignIn): Promise<StartedSession> {
  const refresh = generateRefreshToken()
  const session = await insertSession(tx.query, signIn, refresh.hash)
  if (session === undefined) throw problem('invalid_login')
  const answer = await createSessionTokens(context, session, refresh.text)
  return { session, refreshToken: refresh.text, accessToken: answer.access_token, tokens: answer }
}
