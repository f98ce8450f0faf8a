import type { LoginProof } from '@wp/contracts'
import type { Context } from '../context.ts'
import { decrementCounters, incrementCounters } from '../rate-limits/counters.ts'
import { hashSecret } from '../secrets/secret.ts'
import {
  countCodeAttempt,
  findAuditTargets,
  type LoginRow,
  useLoginByCode,
  useLoginByToken,
  useLoginCode,
} from '../store/sessions/logins.ts'
import type { Tx } from '../store/transaction.ts'
import { matchesCodeChallenge, matchesMailCode } from './login-secrets.ts'
import { maxWrongCodesPerLogin, wrongCodeLimit } from './sign-in-limits.ts'
import { findOrSignUpUser } from './sign-up-policy.ts'

/** Who has proven to be whom; or that nobody has, with what the audit log shall know, where there is something. */
export type LoginChallengeResult =
  | { userId: string; method: string }
  | { rejection: 'invalid_login' | 'signup_closed'; targets?: { type: string; id: string }[] }

type LoginChallengeContext = Pick<Context, 'signUpPolicy' | 'shardPlacement' | 'derivedKeys'>

/** Judges a proof, and uses up what it proves by. The transaction has to be committed whatever comes of it. */
export async function verifyLoginChallenge(
  context: LoginChallengeContext,
  tx: Tx,
  proof: LoginProof,
): Promise<LoginChallengeResult> {
  if (proof.by === 'login_code') return await verifyLoginCode(tx, proof.loginCode, proof.codeVerifier)
  const { loginId } = proof
  if (proof.by === 'code') return await verifyMailCode(context, tx, loginId, proof.code)
  const login = await useLoginByToken(tx.query, loginId, hashSecret(proof.token))
  return login === undefined ? await rejectLogin(tx, loginId) : await completeMailSignIn(context, tx, login)
}

/**
 * A try is counted before it is looked at, with the login and with the account, and both rows are held until the
 * transaction ends: however many come at once, no more are compared than may be wrong.
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
  await useLoginByCode(tx.query, loginId)
  return await completeMailSignIn(context, tx, attempt)
}

async function completeMailSignIn(
  context: LoginChallengeContext,
  tx: Tx,
  { email, loginId }: LoginRow,
): Promise<LoginChallengeResult> {
  const admission = await findOrSignUpUser(context, tx, email)
  if ('userId' in admission) return { userId: admission.userId, method: 'mail' }
  return admission.rejection === 'disabled'
    ? await rejectLogin(tx, loginId)
    : { rejection: 'signup_closed', targets: await findAuditTargets(tx.query, loginId) }
}

/** One use, right or wrong: whoever has a code without its verifier has stolen it. */
async function verifyLoginCode(tx: Tx, loginCode: string, verifier: string): Promise<LoginChallengeResult> {
  const loginCodeRow = await useLoginCode(tx.query, hashSecret(loginCode))
  if (loginCodeRow === undefined) return { rejection: 'invalid_login' }
  const { userId, method, codeChallenge, isDisabled } = loginCodeRow
  return matchesCodeChallenge(verifier, codeChallenge) && !isDisabled
    ? { userId, method }
    : { rejection: 'invalid_login', targets: [{ type: 'user', id: userId }] }
}

async function rejectLogin(tx: Tx, loginId: string): Promise<LoginChallengeResult> {
  return { rejection: 'invalid_login', targets: await findAuditTargets(tx.query, loginId) }
}
