import type { BrowserResponse } from '@wp/contracts'
import { renderPage } from '../pages/page.ts'

const title = 'Sign in'

/** In the browser that asked: one button. */
export const confirmSignInPage = (token: string, redirectUri: string): BrowserResponse =>
  renderPage({
    title,
    paragraphs: ['You asked to sign in from this browser.'],
    form: {
      action: '/v1/auth/login/link',
      fields: { token },
      label: 'Sign in',
      leadsTo: formActionSource(redirectUri),
    },
  })

/** In any other browser, and for any other link: the same page. */
export const otherBrowserPage = (): BrowserResponse =>
  renderPage({
    title,
    paragraphs: [
      'Type the code of the mail where you asked to sign in. It is safe there, on whatever device you read the mail.',
      'If the mail holds no code, open its link in the browser where you asked, or ask again: a mail holds for ten minutes, and once.',
    ],
  })

/** In the browser that asked, where no application waits for it. */
export const enterCodePage = (): BrowserResponse =>
  renderPage({
    title,
    paragraphs: [
      'Go back to where you asked to sign in and type the code of the mail. If the mail holds no code, copy its link there.',
    ],
  })

/** When the button was pressed in vain. @param status 403 for another browser, 400 for another link */
export const signInFailedPage = (status: 400 | 403): BrowserResponse =>
  renderPage({
    title: 'This did not sign you in',
    status,
    paragraphs: [
      status === 403
        ? 'Open the link in the browser where you asked to sign in, or type the code of the mail there.'
        : 'The link was used, or its ten minutes are over. Ask for another mail.',
    ],
  })

export const signUpClosedPage = (): BrowserResponse =>
  renderPage({
    title: 'New accounts are not open here',
    status: 403,
    paragraphs: ['Ask to be invited to a workspace, and sign in with the address you were invited by.'],
  })

/** What a provider sent back does not belong to this browser. */
export const invalidCallbackPage = (): BrowserResponse =>
  renderPage({
    title: 'This did not sign you in',
    status: 400,
    paragraphs: ['The answer does not belong to a sign-in of this browser, or came too late. Begin again.'],
  })

/** As `form-action` of a content security policy takes it: an origin, or the scheme of an application's own. */
function formActionSource(uri: string): string {
  const { origin, protocol } = new URL(uri)
  return origin === 'null' ? protocol : origin
}
