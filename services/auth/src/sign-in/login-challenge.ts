import type { LoginProof } from '@wp/contracts'
import type { Context } from '../context.ts'
import { decrementCounters, incrementCounters } from '../rate-limits/counters.ts'
import { hashSecret } from '../secrets/secret.ts'
import {
  countCodeAttempt,
  findAuditTargets,
  type LoginRow,
  redeemLogin,
  redeemLoginByToken,
  redeemLoginCode,
} from '../store/sessions/logins.ts'
import type { Tx } from '../store/transaction.ts'
import { matchesCodeChallenge, matchesMailCode } from './login-secrets.ts'
import { maxWrongCodesPerLogin, wrongCodeLimit } from './sign-in-limits.ts'
import { findOrSignUpUser } from './sign-up-policy.ts'

/** The signed-in user, or the error code and the audit targets of a failed sign-in. */
export type LoginChallengeResult =
  | { userId: string; method: string }
  | { rejection: 'invalid_login' | 'signup_closed'; targets?: { type: string; id: string }[] }

type LoginChallengeContext = Pick<Context, 'signUpPolicy' | 'shardPlacement' | 'derivedKeys'>

/**
 * Verifies a login proof and invalidates the token or code it uses. The transaction must be committed for either
 * result, because a failed attempt is counted.
 */
export async function verifyLoginChallenge(
  context: LoginChallengeContext,
  tx: Tx,
  proof: LoginProof,
): Promise<LoginChallengeResult> {
  if (proof.by === 'login_code') return await verifyLoginCode(tx, proof.loginCode, proof.codeVerifier ?? '')
  const { loginId } = proof
  if (proof.by === 'code') return await verifyMailCode(context, tx, loginId, proof.code)
  const login = await redeemLoginByToken(tx.query, loginId, hashSecret(proof.token))
  return login === undefined ? await rejectLogin(tx, loginId) : await completeMailSignIn(context, tx, login)
}

/**
 * Counts the attempt for the login and the account before comparing the code. Both rows stay locked until the
 * transaction ends, so concurrent attempts cannot compare more codes than the limits allow.
 */
async function verifyMailCode(
  context: LoginChallengeContext,
  tx: Tx,
  loginId: string,
  code: string,
): Promise<LoginChallengeResult> {
  const { derivedKeys } = context
  const attempt = await countCodeAttempt(tx.query, loginId)
  if (
    attempt === undefined ||
    !attempt.isLive ||
    attempt.codeHash === null ||
    attempt.wrongCodes > maxWrongCodesPerLogin
  )
    return { rejection: 'invalid_login' }
  const limits = [wrongCodeLimit(attempt.email)]
  const [account] = await incrementCounters(tx.query, limits)
  if (account?.isExceeded !== false) return { rejection: 'invalid_login' }
  if (!matchesMailCode(derivedKeys, loginId, code, attempt.codeHash)) return await rejectLogin(tx, loginId)
  await decrementCounters(tx.query, limits)
  await redeemLogin(tx.query, loginId)
  return await completeMailSignIn(context, tx, attempt)
}

async function completeMailSignIn(
  context: LoginChallengeContext,
  tx: Tx,
  { email, loginId }: LoginRow,
): Promise<LoginChallengeResult> {
  const user = await findOrSignUpUser(context, tx, email)
  if ('userId' in user) return { userId: user.userId, method: 'mail' }
  return user.rejection === 'disabled'
    ? await rejectLogin(tx, loginId)
    : { rejection: 'signup_closed', targets: await findAuditTargets(tx.query, loginId) }
}

/** Invalidates the code even if the verifier is wrong: a code without its verifier is stolen. */
async function verifyLoginCode(tx: Tx, loginCode: string, verifier: string): Promise<LoginChallengeResult> {
  const loginCodeRow = await redeemLoginCode(tx.query, hashSecret(loginCode))
  if (loginCodeRow === undefined) return { rejection: 'invalid_login' }
  const { userId, method, codeChallenge, isDisabled } = loginCodeRow
  return matchesCodeChallenge(verifier, codeChallenge) && !isDisabled
    ? { userId, method }
    : { rejection: 'invalid_login', targets: [{ type: 'user', id: userId }] }
}

async function rejectLogin(tx: Tx, loginId: string): Promise<LoginChallengeResult> {
  return { rejection: 'invalid_login', targets: await findAuditTargets(tx.query, loginId) }
}
