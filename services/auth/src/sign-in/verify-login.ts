import type { RequestCaller } from '@wp/contracts'
import type { Context } from '../context.ts'
import type { Tx } from '../store/client.ts'
import { type RateLimitHeaders, rateLimitHeaders } from '../store/counters.ts'
import { type SignedInUser, type VerifiableProof, verifyLoginChallenge } from './login-challenge.ts'
import { failedSignInLimits, incrementOrThrow, revertIncrements } from './sign-in-limits.ts'

/** The result of a sign-in, or the code of its error, with the rate-limit headers of the response. */
interface VerifiedLogin<T> {
  result: T | 'invalid_login' | 'signup_closed'
  headers: RateLimitHeaders
}

/**
 * Verifies a login proof and begins what the signed-in user gets. A failed attempt must be counted, so its transaction
 * commits too and the error code is returned.
 * @param begin runs in the transaction of the sign-in
 * @throws Problem `rate_limited`
 */
export async function verifyLogin<T extends object>(
  context: Context,
  caller: RequestCaller,
  proof: VerifiableProof,
  begin: (tx: Tx, user: SignedInUser) => Promise<T>,
): Promise<VerifiedLogin<T>> {
  return await context.database.transact(caller, async (tx) => {
    const limits = await incrementOrThrow(tx.query, failedSignInLimits(caller.request?.ip))
    const result = await verifyLoginChallenge(context, tx, proof)
    if ('rejection' in result) {
      const { rejection, targets = [], reason } = result
      const changes = reason === undefined ? {} : { changes: { method: 'passkey', reason } }
      if (reason !== undefined) context.log.warn({ event: 'passkey.refused', reason, targets }, 'passkey was refused')
      if (targets.length > 0) tx.emitAudit({ action: 'user.sign_in_failed', outcome: 'failure', targets, ...changes })
      return { result: rejection, headers: rateLimitHeaders(limits) }
    }
    const headers = rateLimitHeaders(await revertIncrements(tx.query, limits))
    return { result: await begin(tx, result), headers }
  })
}
