import { type authSignIn, invalidField, type LoginProof, type Operation, problem } from '@wp/contracts'
import { isSameOrigin } from '../authorization/same-origin.ts'
import type { Context } from '../context.ts'
import { beginSession } from '../sign-in/begin-session.ts'
import { loginCookie, loginVerifierCookie } from '../sign-in/cookies.ts'
import { verifyLogin } from '../sign-in/verify-login.ts'

/** Signs a user in and starts a session. */
export const verify: Operation<typeof authSignIn.verify, Context> = async (
  context,
  caller,
  { body, headers: sent },
) => {
  const verifierCookie = loginVerifierCookie(context.publicBaseUrl)
  const keptVerifier = isSameOrigin(sent) ? verifierCookie.read(sent.cookie) : undefined
  const proof = withVerifier(body.proof, keptVerifier)
  const { result, headers } = await verifyLogin(context, caller, proof, (tx, user) =>
    beginSession(context, tx, caller, { ...user, isStepUp: body.isStepUp }),
  )
  if (typeof result === 'string') throw problem(result, { headers })
  const cookies = [loginCookie(context.publicBaseUrl), ...(keptVerifier === undefined ? [] : [verifierCookie])]
  return { result, cookies: cookies.map((cookie) => cookie.clear()), headers }
}

/** Completes a proof with the verifier that the browser keeps, if the application has none. */
function withVerifier(proof: LoginProof, keptVerifier: string | undefined): LoginProof {
  if (proof.by !== 'login_code' || proof.codeVerifier !== undefined) return proof
  if (keptVerifier === undefined) throw invalidField('/code_verifier', 'is required beside login_code')
  return { ...proof, codeVerifier: keptVerifier }
}
