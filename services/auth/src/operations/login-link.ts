import type { HtmlPage, Redirect } from '@wp/contracts'
import { addQueryParameter, isAuthorizationAddress } from '../authorization/authorization-request.ts'
import { isSameOrigin, startBrowserSession } from '../authorization/browser-session.ts'
import type { Operation } from '../context.ts'
import { hashSecret } from '../secrets/secret.ts'
import { loginCookie, readDevice, readLoginIds } from '../sign-in/cookies.ts'
import { generateLoginCode, loginCodeLifetimeSeconds } from '../sign-in/login-secrets.ts'
import {
  confirmSignInPage,
  enterCodePage,
  otherBrowserPage,
  signInFailedPage,
  signUpClosedPage,
} from '../sign-in/pages.ts'
import { findOrSignUpUser } from '../sign-in/sign-up-policy.ts'
import { findLoginByToken, insertLoginCode, redeemLoginByToken } from '../store/sessions/logins.ts'

/**
 * Shows the page of a login link. Changes nothing, so that scanners, previews and prefetching cannot sign in. Only the
 * browser that started the sign-in gets a page that depends on the link.
 */
export const showLoginLink: Operation<'showLoginLink'> = async (
  { publicBaseUrl, database },
  _caller,
  { query: { token }, headers },
) => {
  const loginIds = readLoginIds(publicBaseUrl, headers.cookie)
  if (loginIds.length === 0) return otherBrowserPage()
  const login = await database.read({ workspaceId: null }, (_, query) =>
    findLoginByToken(query, loginIds, hashSecret(token)),
  )
  if (login === undefined) return otherBrowserPage()
  return login.redirectUri === null ? enterCodePage() : confirmSignInPage(token, login.redirectUri)
}

/**
 * Completes a login link when the page's button is pressed. With PKCE, the application gets a single-use login code and
 * the link becomes invalid. Without PKCE, it gets the link's token, which is useless without the application's
 * `login_id`; the link stays valid. For an authorization, the browser itself is signed in and returns to its page.
 */
export const openLoginLink: Operation<'openLoginLink'> = async (context, caller, { body: { token = '' }, headers }) => {
  const { publicBaseUrl } = context
  const loginIds = readLoginIds(publicBaseUrl, headers.cookie)
  if (loginIds.length === 0 || !isSameOrigin(headers)) return signInFailedPage(403)
  const hash = hashSecret(token)
  return await context.database.transact(caller, async (tx): Promise<HtmlPage | Redirect> => {
    const login = await findLoginByToken(tx.query, loginIds, hash)
    if (login === undefined) return signInFailedPage(400)
    const { loginId, redirectUri, codeChallenge, email } = login
    if (redirectUri === null) return enterCodePage()
    const isAuthorization = isAuthorizationAddress(publicBaseUrl, redirectUri)
    if (codeChallenge === null && !isAuthorization) return { location: addQueryParameter(redirectUri, 'token', token) }
    // A concurrent request may have used the link.
    if ((await redeemLoginByToken(tx.query, loginId, hash)) === undefined) return signInFailedPage(400)
    const user = await findOrSignUpUser(context, tx, email)
    if ('rejection' in user) return user.rejection === 'disabled' ? signInFailedPage(400) : signUpClosedPage()
    const usedCookie = loginCookie(publicBaseUrl, loginId).clear()
    const signedIn = { userId: user.userId, method: 'mail' }
    if (codeChallenge === null) {
      const device = readDevice(publicBaseUrl, headers.cookie)
      const browser = { ...signedIn, deviceToken: device.token }
      const sessionCookie = await startBrowserSession(context, tx, caller, browser)
      return { location: redirectUri, cookies: [sessionCookie, device.cookie, usedCookie] }
    }
    const code = generateLoginCode()
    const fields = { ...signedIn, codeChallenge }
    await insertLoginCode(tx.query, code.hash, fields, loginCodeLifetimeSeconds)
    return { location: addQueryParameter(redirectUri, 'login_code', code.text), cookies: [usedCookie] }
  })
}
