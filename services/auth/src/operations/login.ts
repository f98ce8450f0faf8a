import { type authSignIn, invalidField, type Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { readLoginIds } from '../sign-in/cookies.ts'
import { startMailLogin } from '../sign-in/start-mail-login.ts'

/** Starts a sign-in by mail. Sends the same response for every address. */
export const login: Operation<typeof authSignIn.login, Context> = async (context, caller, { body, headers: sent }) => {
  const { redirect_uri: redirectUri = null, code_challenge: codeChallenge = null } = body
  if (redirectUri !== null && !context.redirectUris.has(redirectUri))
    throw invalidField('/redirect_uri', 'is not one of the allowed redirect URIs')
  const openLoginIds = readLoginIds(context.publicBaseUrl, sent.cookie)
  const mailLogin = { email: body.email, redirectUri, codeChallenge, openLoginIds }
  const { loginId, expiresAt, cookie, headers } = await startMailLogin(context, caller, mailLogin)
  return { result: { login_id: loginId, expires_at: expiresAt.toISOString() }, cookies: [cookie], headers }
}
