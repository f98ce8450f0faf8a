import { type authSignIn, type Operation, problem } from '@wp/contracts'
import type { Context } from '../context.ts'
import { beginSession } from '../sign-in/begin-session.ts'
import { loginCookie } from '../sign-in/cookies.ts'
import { verifyLogin } from '../sign-in/verify-login.ts'

/** Signs a user in and starts a session. */
export const verify: Operation<typeof authSignIn.verify, Context> = async (context, caller, { body }) => {
  const result = await verifyLogin(context, caller, body, (tx, user) => beginSession(context, tx, caller, user))
  if (typeof result === 'string') throw problem(result)
  return { result, cookies: [loginCookie(context.publicBaseUrl).clear()] }
}
