import type { LoginProof } from '@wp/contracts'
import type { Context } from '../context.ts'
import { authenticateWithPasskey } from '../passkeys/authenticate.ts'
import type { PasskeyRefusal } from '../passkeys/client-data.ts'
import { hashSecret } from '../secrets/secret.ts'
import type { Tx } from '../store/client.ts'
import { decrementCounters, incrementCounters, type RateLimit } from '../store/counters.ts'
import {
  countCodeAttempt,
  findAuditTargets,
  type LoginRow,
  redeemLogin,
  redeemLoginByToken,
  redeemLoginCode,
} from '../store/sessions/logins.ts'
import { codeChallengeOf, matchesCodeChallenge, matchesMailCode } from './login-secrets.ts'
import { maxWrongCodesPerLogin, wrongCodeLimit } from './sign-in-limits.ts'
import { findOrSignUpUser } from './sign-up-policy.ts'

/** A proof, with the verifiers of a login code from which one must match. */
export type VerifiableProof =
  | Exclude<LoginProof, { by: 'login_code' }>
  | { by: 'login_code'; loginCode: string; codeVerifiers: readonly string[] }

export interface SignedInUser {
  userId: string
  method: string
  /** The verifier that matched a login code. */
  verifier?: string
}

/** The signed-in user, or the error code and the audit targets of a failed sign-in. */
type LoginChallengeResult =
  | SignedInUser
  | {
      rejection: 'invalid_login' | 'signup_closed'
      targets?: { type: string; id: string }[]
      /** Why a passkey was refused. */
      reason?: PasskeyRefusal
    }

type LoginChallengeContext = Pick<Context, 'signUpPolicy' | 'shardPlacement' | 'derivedKeys' | 'publicBaseUrl' | 'now'>

/**
 * Verifies a login proof and invalidates the token or code it uses. The transaction must be committed for either
 * result, because a failed attempt is counted.
 */
export async function verifyLoginChallenge(
  context: LoginChallengeContext,
  tx: Tx,
  proof: VerifiableProof,
): Promise<LoginChallengeResult> {
  if (proof.by === 'login_code') return await verifyLoginCode(tx, proof.loginCode, proof.codeVerifiers)
  if (proof.by === 'passkey') return await verifyPasskey(context, tx, proof)
  const { loginId } = proof
  if (proof.by === 'code') return await verifyMailCode(context, tx, loginId, proof.code)
  const login = await redeemLoginByToken(tx.query, loginId, hashSecret(proof.token))
  return login === undefined ? await rejectLogin(tx, loginId) : await completeMailSignIn(context, tx, login)
}

async function verifyPasskey(
  context: LoginChallengeContext,
  tx: Tx,
  { passkey, codeVerifier }: Extract<VerifiableProof, { by: 'passkey' }>,
): Promise<LoginChallengeResult> {
  const use = { purpose: 'sign-in', codeChallenge: codeChallengeOf(codeVerifier) } as const
  const result = await authenticateWithPasskey(context, tx, passkey, use)
  if (!('refusal' in result)) return { userId: result.userId, method: 'passkey' }
  const { refusal: reason, userId } = result
  const targets = userId === undefined ? [] : [{ type: 'user', id: userId }]
  return { rejection: 'invalid_login', targets, reason }
}

async function verifyMailCode(
  context: LoginChallengeContext,
  tx: Tx,
  loginId: string,
  code: string,
): Promise<LoginChallengeResult> {
  const redeemed = await redeemMailCode(context, tx, { loginId, code, sessionId: null }, wrongCodeLimit)
  if ('login' in redeemed) return await completeMailSignIn(context, tx, redeemed.login)
  return redeemed.rejection === 'wrong_code' ? await rejectLogin(tx, loginId) : { rejection: 'invalid_login' }
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

/** Invalidates the code even if no verifier matches: a code without its verifier is stolen. */
async function verifyLoginCode(tx: Tx, loginCode: string, verifiers: readonly string[]): Promise<LoginChallengeResult> {
  const loginCodeRow = await redeemLoginCode(tx.query, hashSecret(loginCode))
  if (loginCodeRow === undefined) return { rejection: 'invalid_login' }
  const { userId, method, codeChallenge, isDisabled } = loginCodeRow
  const verifier = verifiers.find((each) => matchesCodeChallenge(each, codeChallenge))
  return verifier !== undefined && !isDisabled
    ? { userId, method, verifier }
    : { rejection: 'invalid_login', targets: [{ type: 'user', id: userId }] }
}

async function rejectLogin(tx: Tx, loginId: string): Promise<LoginChallengeResult> {
  return { rejection: 'invalid_login', targets: await findAuditTargets(tx.query, loginId) }
}

/** A code that a user entered. */
interface PresentedCode {
  loginId: string
  code: string
  /** The session to re-authenticate; null for a sign-in. */
  sessionId: string | null
}

/** The login of a correct code. `not_compared`: unknown, used or expired, or a limit of wrong codes is exceeded. */
type MailCodeResult = { login: LoginRow } | { rejection: 'wrong_code' | 'not_compared' }

/**
 * Redeems the code of a mail. Counts the attempt for the login and the account before comparing the code. Both rows
 * stay locked until the transaction ends, so concurrent attempts cannot compare more codes than the limits allow. The
 * transaction must be committed for either result.
 * @param limitOf the limit of wrong codes of an account, by its address
 */
export async function redeemMailCode(
  { derivedKeys }: Pick<Context, 'derivedKeys'>,
  tx: Tx,
  { loginId, code, sessionId }: PresentedCode,
  limitOf: (email: string) => RateLimit,
): Promise<MailCodeResult> {
  const attempt = await countCodeAttempt(tx.query, loginId, sessionId)
  if (
    attempt === undefined ||
    !attempt.isLive ||
    attempt.codeHash === null ||
    attempt.wrongCodes > maxWrongCodesPerLogin
  )
    return { rejection: 'not_compared' }
  const limits = [limitOf(attempt.email)]
  const [account] = await incrementCounters(tx.query, limits)
  if (account?.isExceeded !== false) return { rejection: 'not_compared' }
  if (!matchesMailCode(derivedKeys, loginId, code, attempt.codeHash)) return { rejection: 'wrong_code' }
  await decrementCounters(tx.query, limits)
  await redeemLogin(tx.query, loginId)
  return { login: attempt }
}
