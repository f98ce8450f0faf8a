import { problem, type ReauthenticationProof, type RequestCaller } from '@wp/contracts'
import type { Context, Operation } from '../context.ts'
import { authenticateWithPasskey } from '../passkeys/authenticate.ts'
import { createSessionAccessToken } from '../sessions/session-tokens.ts'
import { redeemMailCode } from '../sign-in/login-challenge.ts'
import type { Tx } from '../store/client.ts'
import { type AuthenticatedSession, markReauthenticated } from '../store/sessions/sessions.ts'
import { wrongReauthenticationCodeLimit } from './start-reauthentication.ts'

/**
 * Renews the authentication of the caller's session with the code of a mail or a passkey, and issues an access token
 * that states it.
 */
export const verifyReauthentication: Operation<'verifyReauthentication'> = async (context, caller, { body }) => {
  const session = await reauthenticate(context, withoutIdempotencyKey(caller), body)
  if (session === undefined)
    throw problem('invalid_login', {
      detail:
        'passkey' in body
          ? 'The passkey could not be verified; try again'
          : 'The code is wrong, was used, has expired, or was requested in another session; request a new one',
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
  proof: ReauthenticationProof,
): Promise<AuthenticatedSession | undefined> {
  const { credentialId: sessionId, principal } = caller
  const targets = [
    { type: 'session', id: sessionId },
    { type: 'user', id: principal.id },
  ]
  return await context.database.transact(caller, async (tx) => {
    const failure = await verifyProof(context, tx, proof, { sessionId, userId: principal.id })
    if (failure !== undefined) {
      if (failure.isAudited)
        tx.emitAudit({ action: 'session.reauthenticated', targets, outcome: 'failure', ...failure.details })
      return undefined
    }
    const session = await markReauthenticated(tx.query, { sessionId, userId: principal.id })
    if (session === undefined) throw problem('revoked_credential')
    tx.emitAudit({ action: 'session.reauthenticated', targets })
    return session
  })
}

/** @returns undefined for a valid proof */
async function verifyProof(
  context: Context,
  tx: Tx,
  proof: ReauthenticationProof,
  { sessionId, userId }: { sessionId: string; userId: string },
): Promise<{ isAudited: boolean; details?: { changes: { method: string; reason: string } } } | undefined> {
  if ('passkey' in proof) {
    const use = { purpose: 're-authentication', sessionId } as const
    const result = await authenticateWithPasskey(context, tx, proof.passkey, use, userId)
    if (!('refusal' in result)) return undefined
    const reason = result.refusal
    context.log.warn({ event: 'passkey.refused', reason, userId }, 'passkey was refused')
    return { isAudited: true, details: { changes: { method: 'passkey', reason } } }
  }
  const redeemed = await redeemMailCode(context, tx, { ...proof, sessionId }, wrongReauthenticationCodeLimit)
  return 'rejection' in redeemed ? { isAudited: redeemed.rejection === 'wrong_code' } : undefined
}

/** A stored response would contain a token, or turn a counted failure into the answer to a correct code. */
function withoutIdempotencyKey(caller: RequestCaller): RequestCaller {
  if (caller.request === undefined) return caller
  const { idempotency: _, ...request } = caller.request
  return { ...caller, request }
}
