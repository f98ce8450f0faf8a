import type { MailTemplate } from '@wp/mail'
import { loginLifetimeMinutes } from './login-secrets.ts'

interface SignInMailOptions {
  publicBaseUrl: string
  productName: string
  token: string
  /** Undefined if the account has used up its wrong codes for the day; the mail then contains only the link. */
  code: string | undefined
  /** True if the sign-in names a redirect URI, so that the link can complete it in the browser. */
  hasRedirect: boolean
}

const notRequestedText = 'If you did not request this, ignore this mail. Your account is unchanged.'

/** Creates the sign-in mail. The code is not in the subject because locked screens show subjects. */
export function createSignInMail(options: SignInMailOptions): MailTemplate {
  const { publicBaseUrl, productName, token, code, hasRedirect } = options
  const link = `${publicBaseUrl}/v1/auth/login/link?token=${token}`
  const secret = code === undefined ? 'link' : 'code'
  return {
    subject: `Sign in to ${productName}`,
    heading: 'Sign in',
    blocks: [
      ...(code === undefined ? [] : [{ text: 'Enter this code where you started to sign in:' }, { code }]),
      hasRedirect
        ? { text: `${code === undefined ? 'Open' : 'Or open'} this link in the browser where you started to sign in:` }
        : {
            text: `${code === undefined ? 'Copy' : 'Or copy'} this link to the application where you started to sign in:`,
          },
      hasRedirect ? { button: link, label: 'Sign in' } : { link, label: link },
      {
        text: `This ${secret} expires in ${loginLifetimeMinutes} minutes and works once. We will never ask you for it.`,
      },
    ],
    footer: [{ text: notRequestedText }],
  }
}

/** Creates the mail to an address that has no account and cannot sign up. */
export const createNoAccountMail = (productName: string): MailTemplate => ({
  subject: `Sign in to ${productName}`,
  heading: 'There is no account for this address',
  blocks: [
    { text: 'A sign-in with this address was requested. There is no account for this address that can sign in.' },
    { text: 'If you requested it, ask for an invitation to a workspace, or try another address.' },
  ],
  footer: [{ text: notRequestedText }],
})
