import type { HtmlPage } from '@wp/contracts'
import { renderPage } from '@wp/service'

const title = 'Sign in'

/** The next page after one whose sign-in cannot go on here. */
const consoleLink = { href: '/console/', label: 'Open the console' }
const signInAgain = { href: '/console/sign-in', label: 'Sign in again' }

/** The page for the browser that started the sign-in: a button that completes it. */
export const confirmSignInPage = (token: string, redirectUri: string): HtmlPage =>
  renderPage({
    title,
    paragraphs: ['You started to sign in with this browser.'],
    form: {
      action: '/v1/auth/login/link',
      fields: { token },
      label: 'Sign in',
      redirectOrigin: formActionSource(redirectUri),
    },
  })

/** The page for any other browser and for an invalid link: identical, so that it reveals nothing about the link. */
export const otherBrowserPage = (): HtmlPage =>
  renderPage({
    title,
    paragraphs: [
      'Enter the code from the mail where you started to sign in. You can read the mail on any device.',
      'If the mail contains no code, open its link in the browser where you started, or request a new mail. A mail expires in 10 minutes and works once.',
    ],
    next: { href: '/console/sign-in', label: 'Sign in here instead' },
  })

/** The page for the browser that started the sign-in if the sign-in names no redirect URI. */
export const enterCodePage = (): HtmlPage =>
  renderPage({
    title,
    paragraphs: [
      'Go back to the application where you started to sign in and enter the code from the mail. If the mail contains no code, copy its link there.',
    ],
    next: consoleLink,
  })

/** The page for a rejected confirmation. @param status 403 for another browser, 400 for an invalid link */
export const signInFailedPage = (status: 400 | 403): HtmlPage =>
  renderPage({
    title: 'Sign-in failed',
    status,
    paragraphs: [
      status === 403
        ? 'Open the link in the browser where you started to sign in, or enter the code from the mail there.'
        : 'The link was already used or has expired. Request a new mail.',
    ],
    next: signInAgain,
  })

export const signUpClosedPage = (): HtmlPage =>
  renderPage({
    title: 'Sign-up is closed',
    status: 403,
    paragraphs: ['Ask for an invitation to a workspace, then sign in with the invited address.'],
    next: { href: '/console/sign-in', label: 'Sign in with another address' },
  })

/** The page for a provider callback that matches no pending authorization of this browser. */
export const invalidCallbackPage = (): HtmlPage =>
  renderPage({
    title: 'Sign-in failed',
    status: 400,
    paragraphs: ['The response does not belong to a sign-in of this browser, or came too late. Start again.'],
    next: signInAgain,
  })

/** The page for a sign-in with a provider that was refused there, or whose account cannot be used here. */
export const providerSignInFailedPage = (): HtmlPage =>
  renderPage({
    title: 'Sign-in failed',
    status: 403,
    paragraphs: [
      'The provider did not confirm the sign-in, or its account cannot be used here.',
      'Go back to the application, start again and sign in by mail.',
    ],
    next: signInAgain,
  })

/** Returns a `form-action` source for a redirect URI: its origin, or its scheme for an application's custom scheme. */
function formActionSource(uri: string): string {
  const { origin, protocol } = new URL(uri)
  return origin === 'null' ? protocol : origin
}
