import { type MailTemplate, timeFormatFor, toSingleLine } from '@wp/mail'
import type { MailReader } from '../store/users.ts'

interface RecoveryMailOptions {
  productName: string
  availableAt: Date
  reader: MailReader
}

/** Creates the mail to the user of an account whose recovery was requested. */
export const createRecoveryMail = ({
  productName,
  availableAt,
  reader,
  cancelUrl,
}: RecoveryMailOptions & { cancelUrl: string }): MailTemplate => ({
  subject: `Recovery of your account: ${productName}`,
  heading: 'The recovery of your account was requested',
  blocks: [
    { text: `From ${timeFormatFor(reader).format(availableAt)} you can sign in by mail again, without a passkey.` },
    { text: 'If you did not request this, someone can read your mail. Cancel the recovery:' },
    { button: cancelUrl, label: 'Cancel the recovery' },
    { text: 'You can also cancel it in every browser in which you are signed in.' },
  ],
})

/** Creates the mail to an owner of a workspace of that user. */
export const createOwnerRecoveryMail = ({
  productName,
  availableAt,
  reader,
  memberEmail,
  workspaceName,
}: RecoveryMailOptions & { memberEmail: string; workspaceName: string }): MailTemplate => ({
  subject: `A member recovers an account: ${productName}`,
  heading: 'A member has lost their passkeys',
  blocks: [
    {
      text: `${memberEmail}, a member of ${toSingleLine(workspaceName)}, signs in with passkeys only and has requested to sign in by mail again from ${timeFormatFor(reader).format(availableAt)}.`,
    },
    { text: 'Ask them whether it was they. If it was not, remove the member from the workspace before that time.' },
  ],
  footer: [{ text: 'You get this mail because you are an owner of the workspace.' }],
})
