import type { authSignIn, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { hashSecret } from '../secrets/secret.ts'
import { readLoginIds } from '../sign-in/cookies.ts'
import { confirmSignInPage, enterCodePage, otherBrowserPage } from '../sign-in/pages.ts'
import { findLoginByToken } from '../store/sessions/logins.ts'

/**
 * Shows the page of a login link. Changes nothing, so that scanners, previews and prefetching cannot sign in. Only the
 * browser that started the sign-in gets a page that depends on the link.
 */
export const showLoginLink: Operation<typeof authSignIn.showLoginLink, Context> = async (
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
