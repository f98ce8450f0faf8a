import type { Proof } from '@wp/contracts'
import type { Context } from '../context.ts'
import { count, giveBack } from '../limits/counters.ts'
import { hashSecret } from '../secrets/secret.ts'
import {
  countCodeTry,
  findTargets,
  type LoginRow,
  useLoginByCode,
  useLoginByToken,
  useLoginCode,
} from '../store/logins.ts'
import type { Tx } from '../store/transaction.ts'
import { admit } from './admission.ts'
import { wrongCodes, wrongCodesALogin } from './limits.ts'
import { fitsChallenge, isMailCode } from './secrets.ts'

/** Who has proven to be whom; or that nobody has, with what the audit log shall know, where there is something. */
export type Proven =
  | { userId: string; method: string }
  | { refused: 'invalid_login' | 'signup_closed'; targets?: { type: string; id: string }[] }

type Parts = Pick<Context, 'signup' | 'homes' | 'serverKeys'>

/** Judges a proof, and uses up what it proves by. The transaction has to be committed whatever comes of it. */
export async function prove(context: Parts, tx: Tx, proof: Proof): Promise<Proven> {
  if (proof.by === 'login_code') return await byLoginCode(tx, proof.loginCode, proof.codeVerifier)
  const { loginId } = proof
  if (proof.by === 'code') return await byCode(context, tx, loginId, proof.code)
  const login = await useLoginByToken(tx.query, loginId, hashSecret(proof.token))
  return login === undefined ? await failed(tx, loginId) : await byMail(context, tx, login)
}

/**
 * A try is counted before it is looked at, with the login and with the account, and both rows are held until the
 * transaction ends: however many come at once, no more are compared than may be wrong.
 */
async function byCode(context: Parts, tx: Tx, loginId: string, code: string): Promise<Proven> {
  const { serverKeys } = context
  const tried = await countCodeTry(tx.query, loginId)
  if (tried === undefined || !tried.live || tried.codeHash === null || tried.wrongCodes > wrongCodesALogin)
    return { refused: 'invalid_login' }
  const limits = [wrongCodes(tried.email)]
  const [account] = await count(tx.query, limits)
  if (account?.exceeded !== false) return { refused: 'invalid_login' }
  if (!isMailCode(serverKeys, loginId, code, tried.codeHash)) return await failed(tx, loginId)
  await giveBack(tx.query, limits)
  await useLoginByCode(tx.query, loginId)
  return await byMail(context, tx, tried)
}

async function byMail(context: Parts, tx: Tx, { email, loginId }: LoginRow): Promise<Proven> {
  const admission = await admit(context, tx, email)
  if ('userId' in admission) return { userId: admission.userId, method: 'mail' }
  return admission.refused === 'disabled'
    ? await failed(tx, loginId)
    : { refused: 'signup_closed', targets: await findTargets(tx.query, loginId) }
}

/** One use, right or wrong: whoever has a code without its verifier has stolen it. */
async function byLoginCode(tx: Tx, loginCode: string, verifier: string): Promise<Proven> {
  const kept = await useLoginCode(tx.query, hashSecret(loginCode))
  if (kept === undefined) return { refused: 'invalid_login' }
  const { userId, method, codeChallenge, disabled } = kept
  return fitsChallenge(verifier, codeChallenge) && !disabled
    ? { userId, method }
    : { refused: 'invalid_login', targets: [{ type: 'user', id: userId }] }
}

async function failed(tx: Tx, loginId: string): Promise<Proven> {
  return { refused: 'invalid_login', targets: await findTargets(tx.query, loginId) }
}
