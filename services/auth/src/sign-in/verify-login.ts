import type { LoginProof, RequestCaller } from '@wp/contracts'
import type { Context } from '../context.ts'
import { decrementCounters } from '../rate-limits/counters.ts'
import type { Tx } from '../store/transaction.ts'
import { verifyLoginChallenge } from './login-challenge.ts'
import { failedSignInLimit, incrementOrThrow } from './sign-in-limits.ts'

/**
 * Verifies a login proof and begins what the signed-in user gets. A failed attempt must be counted, so its transaction
 * commits too and the error code is returned.
 * @param begin runs in the transaction of the sign-in
 * @throws Problem `rate_limited`
 */
export async function verifyLogin<T extends object>(
  context: Context,
  caller: RequestCaller,
  proof: LoginProof,
  begin: (tx: Tx, user: { userId: string; method: string }) => Promise<T>,
): Promise<T | 'invalid_login' | 'signup_closed'> {
  const failureLimit = [failedSignInLimit(caller.request?.ip)]
  return await context.database.transact(caller, async (tx) => {
    await incrementOrThrow(tx.query, failureLimit)
    const result = await verifyLoginChallenge(context, tx, proof)
    if ('rejection' in result) {
      const { rejection, targets = [] } = result
      if (targets.length > 0) tx.emitAudit({ action: 'user.sign_in_failed', outcome: 'failure', targets })
      return rejection
    }
    await decrementCounters(tx.query, failureLimit)
    return await begin(tx, result)
  })
}
