import type { Context } from '../context.ts'
import type { Tx } from '../store/client.ts'
import { decrementCounters, incrementCounters, type RateLimit } from '../store/counters.ts'
import { countCodeAttempt, type LoginRow, redeemLogin } from '../store/sessions/logins.ts'
import { matchesMailCode } from './login-secrets.ts'
import { maxWrongCodesPerLogin } from './sign-in-limits.ts'

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
