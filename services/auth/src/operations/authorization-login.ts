import { toMailAddress } from '@wp/contracts'
import { authorizationAddress } from '../authorization/authorization-request.ts'
import { isSameOrigin, startBrowserSession } from '../authorization/browser-session.ts'
import { codePage, expiredFormPage, invalidEmailPage } from '../authorization/pages.ts'
import type { Operation } from '../context.ts'
import { loginCookie, readDevice, readLoginIds } from '../sign-in/cookies.ts'
import { signUpClosedPage } from '../sign-in/pages.ts'
import { startMailLogin } from '../sign-in/start-mail-login.ts'
import { verifyLogin } from '../sign-in/verify-login.ts'

/** Sends the mail of a sign-in from the page of an authorization, and asks for its code. */
export const startAuthorizationLogin: Operation<'startAuthorizationLogin'> = async (
  context,
  caller,
  { body: { authorization, email: givenEmail }, headers },
) => {
  if (!isSameOrigin(headers)) return expiredFormPage()
  const email = toMailAddress(givenEmail ?? '')
  if (email === undefined) return invalidEmailPage(authorization)
  const redirectUri = authorizationAddress(context.publicBaseUrl, authorization)
  const { cookie } = await startMailLogin(context, caller, { email, redirectUri, codeChallenge: null })
  return { ...codePage({ authorization }), cookies: [cookie] }
}

/** Signs the browser in with the code of the mail it requested, and continues with the authorization. */
export const verifyAuthorizationLogin: Operation<'verifyAuthorizationLogin'> = async (
  context,
  caller,
  { body: { authorization, code = '' }, headers },
) => {
  const { publicBaseUrl } = context
  const [loginId] = readLoginIds(publicBaseUrl, headers.cookie)
  if (!isSameOrigin(headers) || loginId === undefined) return expiredFormPage()
  const device = readDevice(publicBaseUrl, headers.cookie)
  const { result } = await verifyLogin(context, caller, { by: 'code', loginId, code }, async (tx, user) => ({
    sessionCookie: await startBrowserSession(context, tx, caller, { ...user, deviceToken: device.token }),
  }))
  if (result === 'signup_closed') return signUpClosedPage()
  if (result === 'invalid_login') return codePage({ authorization, hasFailed: true })
  return {
    location: authorizationAddress(publicBaseUrl, authorization),
    cookies: [result.sessionCookie, device.cookie, loginCookie(publicBaseUrl, loginId).clear()],
  }
}
