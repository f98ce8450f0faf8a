import { type authReauthentication, type Operation, problem, type RequestCaller } from '@wp/contracts'
import type { Context } from '../context.ts'
import { createSessionAccessToken } from '../sessions/session-tokens.ts'
import { redeemMailCode } from '../sign-in/mail-code.ts'
import { type AuthenticatedSession, markReauthenticated } from '../store/sessions/sessions.ts'
import { wrongReauthenticationCodeLimit } from './start-reauthentication.ts'

/**
 * Renews the authentication of the caller's session with the code of a mail, and issues an access token that states it.
 */
export const verifyReauthentication: Operation<typeof authReauthentication.verifyReauthentication, Context> = async (
  context,
  caller,
  { body: { login_id: loginId, code } },
) => {
  const session = await reauthenticate(context, withoutIdempotencyKey(caller), { loginId, code })
  if (session === undefined)
    throw problem('invalid_login', {
      detail: 'The code is wrong, was used, has expired, or was requested in another session; request a new one',
    })
  const { accessToken, lifetimeSeconds } = await createSessionAccessToken(context, session)
  return {
    session_id: session.sessionId,
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: lifetimeSeconds,
    auth_time: Math.floor(session.authenticatedAt.getTime() / 1000),
  }
}

/** @returns undefined for a rejected code, whose attempt is counted: the transaction commits. */
async function reauthenticate(
  context: Context,
  caller: RequestCaller,
  { loginId, code }: { loginId: string; code: string },
): Promise<AuthenticatedSession | undefined> {
  const { credentialId: sessionId, principal } = caller
  const targets = [
    { type: 'session', id: sessionId },
    { type: 'user', id: principal.id },
  ]
  return await context.database.transact(caller, async (tx) => {
    const redeemed = await redeemMailCode(context, tx, { loginId, code, sessionId }, wrongReauthenticationCodeLimit)
    if ('rejection' in redeemed) {
      if (redeemed.rejection === 'wrong_code')
        tx.emitAudit({ action: 'session.reauthenticated', targets, outcome: 'failure' })
      return undefined
    }
    const session = await markReauthenticated(tx.query, { sessionId, userId: principal.id })
    if (session === undefined) throw problem('revoked_credential')
    tx.emitAudit({ action: 'session.reauthenticated', targets })
    return session
  })
}

/** A stored response would contain a token, or turn a counted failure into the answer to a correct code. */
function withoutIdempotencyKey(caller: RequestCaller): RequestCaller {
  if (caller.request === undefined) return caller
  const { idempotency: _, ...request } = caller.request
  return { ...caller, request }
}
