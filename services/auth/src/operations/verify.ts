import {
  type authSignIn,
  type Operation,
  type Proof,
  problem,
  type RequestCaller,
  type SessionAnswer,
} from '@wp/contracts'
import type { Context } from '../context.ts'
import { giveBack } from '../limits/counters.ts'
import { loginCookie } from '../sign-in/cookies.ts'
import { countOrRefuse, failedProofs } from '../sign-in/limits.ts'
import { prove } from '../sign-in/proof.ts'
import { beginSession } from '../sign-in/session.ts'

/**
 * Signs in. What a wrong proof changes has to be kept, so the transaction ends well either way and the refusal comes
 * after it.
 */
export const verify: Operation<typeof authSignIn.verify, Context> = async (context, caller, { body }) => {
  const answer = await signIn(context, caller, body)
  if (typeof answer === 'string') throw problem(answer)
  return { answer, cookies: [loginCookie(context.base).clear()] }
}

async function signIn(
  context: Context,
  caller: RequestCaller,
  proof: Proof,
): Promise<SessionAnswer | 'invalid_login' | 'signup_closed'> {
  const failed = [failedProofs(caller.request?.ip)]
  return await context.database.transact(caller, async (tx) => {
    await countOrRefuse(tx.query, failed)
    const proven = await prove(context, tx, proof)
    if ('refused' in proven) {
      const { refused, targets = [] } = proven
      if (targets.length > 0) tx.auditAlso({ action: 'user.sign_in_failed', outcome: 'failure', targets })
      return refused
    }
    await giveBack(tx.query, failed)
    return await beginSession(context, tx, caller, proven)
  })
}
