import { invalidField, type LoginProof, problem, type RequestCaller, type SessionTokens } from '@wp/contracts'
import { isSameOrigin } from '../authorization/browser-session.ts'
import type { Context, Operation } from '../context.ts'
import { admitMethod } from '../passkeys/require-passkey.ts'
import { startSession } from '../sessions/start-session.ts'
import { loginCookie, loginVerifierCookies, readDevice } from '../sign-in/cookies.ts'
import type { VerifiableProof } from '../sign-in/login-challenge.ts'
import { alertNewDevice } from '../sign-in/sign-in-alert.ts'
import { startMailLogin } from '../sign-in/start-mail-login.ts'
import { verifyLogin } from '../sign-in/verify-login.ts'
import type { Tx } from '../store/client.ts'

/** Starts a sign-in by mail. Sends the same response for every address. */
export const login: Operation<'login'> = async (context, caller, { body }) => {
  const { redirect_uri: redirectUri = null, code_challenge: codeChallenge = null } = body
  if (redirectUri !== null && !context.redirectUris.has(redirectUri))
    throw invalidField('/redirect_uri', 'is not one of the allowed redirect URIs')
  const mailLogin = { email: body.email, redirectUri, codeChallenge }
  const { loginId, expiresAt, cookie, headers } = await startMailLogin(context, caller, mailLogin)
  return { result: { login_id: loginId, expires_at: expiresAt.toISOString() }, cookies: [cookie], headers }
}

/** Signs a user in and starts a session. */
export const verify: Operation<'verify'> = async (context, caller, { body, headers: sent }) => {
  const kept = loginVerifierCookies(context.publicBaseUrl).flatMap((cookie) => {
    const verifier = isSameOrigin(sent) ? cookie.read(sent.cookie) : undefined
    return verifier === undefined ? [] : [{ cookie, verifier }]
  })
  const proof = withVerifiers(
    body.proof,
    kept.map(({ verifier }) => verifier),
  )
  const device = readDevice(context.publicBaseUrl, sent.cookie)
  const { result, headers } = await verifyLogin(context, caller, proof, async (tx, user) => ({
    session: await beginSession(context, tx, caller, { ...user, isStepUp: body.isStepUp, deviceToken: device.token }),
    verifier: user.verifier,
  }))
  if (typeof result === 'string') throw problem(result, { headers })
  const { session, verifier: used } = result
  const usedCookies = kept.filter(({ verifier }) => verifier === used).map(({ cookie }) => cookie)
  if ('loginId' in body.proof) usedCookies.push(loginCookie(context.publicBaseUrl, body.proof.loginId))
  return { result: session, cookies: [device.cookie, ...usedCookies.map((cookie) => cookie.clear())], headers }
}

/** Completes a proof with the verifiers that the browser keeps, if the application has none. */
function withVerifiers(proof: LoginProof, kept: readonly string[]): VerifiableProof {
  if (proof.by !== 'login_code') return proof
  const { by, loginCode, codeVerifier } = proof
  if (codeVerifier !== undefined) return { by, loginCode, codeVerifiers: [codeVerifier] }
  if (kept.length === 0) throw invalidField('/code_verifier', 'is required beside login_code')
  return { by, loginCode, codeVerifiers: kept }
}

/**
 * Starts the session of an authenticated user, emits the audit event, and alerts the user of a new device.
 * @throws Problem `passkey_required`
 */
async function beginSession(
  context: Context,
  tx: Tx,
  { request }: RequestCaller,
  { userId, method, isStepUp, deviceToken }: { userId: string; method: string; isStepUp: boolean; deviceToken: string },
): Promise<SessionTokens> {
  await admitMethod(tx, { userId, method })
  const { session, tokens } = await startSession(context, tx, {
    userId,
    method,
    ip: request?.ip,
    userAgent: request?.userAgent,
    isStepUp,
  })
  const targets = [
    { type: 'user', id: userId },
    { type: 'session', id: session.sessionId },
  ]
  tx.emitAudit({ action: 'user.signed_in', targets, changes: { method } }, { id: userId, type: 'user' })
  await alertNewDevice(context, tx, { ...session, method, userAgent: request?.userAgent, deviceToken })
  return tokens
}
