import type { authSignIn, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { hashSecret } from '../secrets/secret.ts'
import { loginCookie } from '../sign-in/cookies.ts'
import { confirmSignInPage, enterCodePage, otherBrowserPage } from '../sign-in/pages.ts'
import { findLoginByToken } from '../store/sessions/logins.ts'

/**
 * What the link of a mail opens. It changes nothing, so that whatever looks at links before people do (scanners,
 * previews, prefetching) signs nobody in; and it says something about the link only to the browser that asked for it.
 */
export const showLoginLink: Operation<typeof authSignIn.showLoginLink, Context> = async (
  { publicBaseUrl, database },
  _caller,
  { query: { token = '' }, headers },
) => {
  const loginId = loginCookie(publicBaseUrl).read(headers.cookie)
  if (loginId === undefined) return otherBrowserPage()
  const login = await database.read({ workspaceId: null }, (_, query) =>
    findLoginByToken(query, loginId, hashSecret(token)),
  )
  if (login === undefined) return otherBrowserPage()
  return login.redirectUri === null ? enterCodePage() : confirmSignInPage(token, login.redirectUri)
}
