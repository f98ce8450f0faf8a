import type { authSignIn, BrowserAnswer, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { hashSecret } from '../secrets/secret.ts'
import { admit } from '../sign-in/admission.ts'
import { loginCookie } from '../sign-in/cookies.ts'
import { closedPage, refusedPage, returnPage } from '../sign-in/pages.ts'
import { withParameter } from '../sign-in/redirect.ts'
import { loginCodeSeconds, newLoginCode } from '../sign-in/secrets.ts'
import { findLoginByToken, insertLoginCode, useLoginByToken } from '../store/logins.ts'

/**
 * The button of the link's page. Bound by PKCE, the application gets a code for once; without PKCE it gets the link's
 * token, which opens nothing without the `login_id` it holds. Only the former uses the link up.
 */
export const openLoginLink: Operation<typeof authSignIn.openLoginLink, Context> = async (
  context,
  caller,
  { body: { token = '' }, headers },
) => {
  const cookie = loginCookie(context.base)
  const loginId = cookie.read(headers.cookie)
  const site = headers['sec-fetch-site'] ?? 'same-origin'
  if (loginId === undefined || site !== 'same-origin') return refusedPage(403)
  const hash = hashSecret(token)
  return await context.database.transact(caller, async (tx): Promise<BrowserAnswer> => {
    const login = await findLoginByToken(tx.query, loginId, hash)
    if (login === undefined) return refusedPage(400)
    const { redirectUri, codeChallenge, email } = login
    if (redirectUri === null) return returnPage()
    if (codeChallenge === null) return { location: withParameter(redirectUri, 'token', token) }
    // whoever is second finds it used
    if ((await useLoginByToken(tx.query, loginId, hash)) === undefined) return refusedPage(400)
    const admission = await admit(context, tx, email)
    if ('refused' in admission) return admission.refused === 'disabled' ? refusedPage(400) : closedPage()
    const code = newLoginCode()
    const facts = { userId: admission.userId, method: 'mail', codeChallenge }
    await insertLoginCode(tx.query, code.hash, facts, loginCodeSeconds)
    return { location: withParameter(redirectUri, 'login_code', code.text), cookies: [cookie.clear()] }
  })
}
