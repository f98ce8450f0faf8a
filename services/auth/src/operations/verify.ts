import {
  type authSignIn,
  type LoginProof,
  type Operation,
  problem,
  type RequestCaller,
  type SessionTokens,
} from '@wp/contracts'
import type { Context } from '../context.ts'
import { decrementCounters } from '../rate-limits/counters.ts'
import { beginSession } from '../sign-in/begin-session.ts'
import { loginCookie } from '../sign-in/cookies.ts'
import { verifyLoginChallenge } from '../sign-in/login-challenge.ts'
import { failedSignInLimit, incrementOrThrow } from '../sign-in/sign-in-limits.ts'

/**
 * Signs a user in. A failed attempt must be counted, so its transaction commits too and the error is thrown afterwards.
 */
export const verify: Operation<typeof authSignIn.verify, Context> = async (context, caller, { body }) => {
  const result = await signIn(context, caller, body)
  if (typeof result === 'string') throw problem(result)
  return { result, cookies: [loginCookie(context.publicBaseUrl).clear()] }
}

async function signIn(
  context: Context,
  caller: RequestCaller,
  proof: LoginProof,
): Promise<SessionTokens | 'invalid_login' | 'signup_closed'> {
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
    return await beginSession(context, tx, caller, result)
  })
}
