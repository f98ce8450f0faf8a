import type { MailTemplate } from '@wp/mail'
import { loginLifetimeMinutes } from '../sign-in/login-secrets.ts'

/**
 * Creates the mail with the code of a re-authentication. The code is not in the subject: locked screens show subjects.
 */
export const createReauthenticationMail = (publicBaseUrl: string, code: string): MailTemplate => ({
  subject: `Confirm your identity at ${new URL(publicBaseUrl).host}`,
  blocks: [
    {
      text: 'You are signed in and about to make a protected change, such as revealing a secret, changing a role or deleting a workspace. To confirm that it is you, enter this code where you were asked for it:',
    },
    { code },
    {
      text: `This code expires in ${loginLifetimeMinutes} minutes and works once. It cannot be used to sign in. We will never ask you for it.`,
    },
    {
      text: 'If you did not request this, someone else may be using your account. Do not pass on the code, and end your other sessions.',
    },
  ],
})
