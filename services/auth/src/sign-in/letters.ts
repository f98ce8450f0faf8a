import type { Letter } from '../mail/letter.ts'
import { loginMinutes } from './secrets.ts'

interface SignInLetter {
  base: string
  token: string
  /** Undefined where the account has used up its codes for the day. */
  code: string | undefined
  /** Whether the link leads anywhere: an application is waiting for the browser. */
  leadsOn: boolean
}

const unasked = 'If you did not ask for this, nothing has happened, and you can ignore this mail.'

/** What signs somebody in. The code is not in the subject, which shows on locked screens. */
export function signInLetter({ base, token, code, leadsOn }: SignInLetter): Letter {
  const link = `${base}/v1/auth/login/link?token=${token}`
  const byLink = leadsOn ? 'open this link in the browser where you asked' : 'copy this link to where you asked'
  return {
    subject: `Sign in to ${new URL(base).host}`,
    parts: [
      ...(code === undefined ? [] : [{ text: 'To sign in, type this code where you asked:' }, { code }]),
      { link, label: `${code === undefined ? 'To sign in' : 'Or'}, ${byLink}` },
      { text: `It holds for ${loginMinutes} minutes and once. Nobody of us will ever ask you for it.` },
      { text: unasked },
    ],
  }
}

/** For an address that has no account here and can have none. */
export const noAccountLetter = (base: string): Letter => ({
  subject: `Sign in to ${new URL(base).host}`,
  parts: [
    { text: 'Somebody asked to sign in with this address. There is no account for it here that can be used.' },
    { text: 'If it was you, ask to be invited to a workspace, or try another address of yours.' },
    { text: unasked },
  ],
})
