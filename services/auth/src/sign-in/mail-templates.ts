import type { MailTemplate } from '../mail/mail-template.ts'
import { loginLifetimeMinutes } from './login-secrets.ts'

interface SignInMailOptions {
  base: string
  token: string
  /** Undefined where the account has used up its codes for the day. */
  code: string | undefined
  /** Whether the link leads anywhere: an application is waiting for the browser. */
  hasRedirect: boolean
}

const notRequestedText = 'If you did not ask for this, nothing has happened, and you can ignore this mail.'

/** What signs somebody in. The code is not in the subject, which shows on locked screens. */
export function createSignInMail({ base, token, code, hasRedirect }: SignInMailOptions): MailTemplate {
  const link = `${base}/v1/auth/login/link?token=${token}`
  const linkInstruction = hasRedirect
    ? 'open this link in the browser where you asked'
    : 'copy this link to where you asked'
  return {
    subject: `Sign in to ${new URL(base).host}`,
    blocks: [
      ...(code === undefined ? [] : [{ text: 'To sign in, type this code where you asked:' }, { code }]),
      { link, label: `${code === undefined ? 'To sign in' : 'Or'}, ${linkInstruction}` },
      { text: `It holds for ${loginLifetimeMinutes} minutes and once. Nobody of us will ever ask you for it.` },
      { text: notRequestedText },
    ],
  }
}

/** For an address that has no account here and can have none. */
export const createNoAccountMail = (base: string): MailTemplate => ({
  subject: `Sign in to ${new URL(base).host}`,
  blocks: [
    { text: 'Somebody asked to sign in with this address. There is no account for it here that can be used.' },
    { text: 'If it was you, ask to be invited to a workspace, or try another address of yours.' },
    { text: notRequestedText },
  ],
})
