import type { MailTemplate } from '../mail/mail-template.ts'
import { preventAutolinks, toSingleLine } from '../mail/sanitize-text.ts'

interface InvitationMailOptions {
  base: string
  workspaceName: string
  role: string
  token: string
}

/** What somebody is written who is invited. */
export const createInvitationMail = ({ base, workspaceName, role, token }: InvitationMailOptions): MailTemplate => ({
  subject: `You are invited to ${toSingleLine(workspaceName)}`,
  blocks: [
    { text: `You are invited to the workspace ${preventAutolinks(workspaceName)}, as ${preventAutolinks(role)}.` },
    { link: `${base}/v1/auth/invitations/accept?token=${token}`, label: 'Accept the invitation' },
    { text: 'The invitation lasts seven days. Whoever opens the link and accepts proves that this mailbox is theirs.' },
    { text: 'If you do not know the workspace, do nothing: without you nothing happens.' },
  ],
})
