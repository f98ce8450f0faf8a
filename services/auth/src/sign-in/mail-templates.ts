import type { MailTemplate } from '@wp/mail'
import { loginLifetimeMinutes } from './login-secrets.ts'

interface SignInMailOptions {
  publicBaseUrl: string
  token: string
  /** Undefined if the account has used up its wrong codes for the day; the mail then contains only the link. */
  code: string | undefined
  /** True if the sign-in names a redirect URI, so that the link can complete it in the browser. */
  hasRedirect: boolean
}

const notRequestedText = 'If you did not request this, ignore this mail. Your account is unchanged.'

/** Creates the sign-in mail. The code is not in the subject because locked screens show subjects. */
export function createSignInMail({ publicBaseUrl, token, code, hasRedirect }: SignInMailOptions): MailTemplate {
  const link = `${publicBaseUrl}/v1/auth/login/link?token=${token}`
  const linkInstruction = hasRedirect
    ? 'open this link in the browser where you started to sign in'
    : 'copy this link to the application where you started to sign in'
  const secret = code === undefined ? 'link' : 'code'
  return {
    subject: `Sign in to ${new URL(publicBaseUrl).host}`,
    blocks: [
      ...(code === undefined ? [] : [{ text: 'To sign in, enter this code where you started to sign in:' }, { code }]),
      { link, label: `${code === undefined ? 'To sign in' : 'Or'}, ${linkInstruction}` },
      {
        text: `This ${secret} expires in ${loginLifetimeMinutes} minutes and works once. We will never ask you for it.`,
      },
      { text: notRequestedText },
    ],
  }
}

/** Creates the mail to an address that has no account and cannot sign up. */
export const createNoAccountMail = (publicBaseUrl: string): MailTemplate => ({
  subject: `Sign in to ${new URL(publicBaseUrl).host}`,
  blocks: [
    { text: 'A sign-in with this address was requested. There is no account for this address that can sign in.' },
    { text: 'If you requested it, ask for an invitation to a workspace, or try another address.' },
    { text: notRequestedText },
  ],
})
