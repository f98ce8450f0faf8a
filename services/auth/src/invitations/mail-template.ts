import { type MailTemplate, preventAutolinks } from '@wp/mail'

interface InvitationMailOptions {
  publicBaseUrl: string
  workspaceName: string
  role: string
  token: string
}

/** Creates the mail that invites a user to a workspace. */
export const createInvitationMail = ({
  publicBaseUrl,
  workspaceName,
  role,
  token,
}: InvitationMailOptions): MailTemplate => ({
  subject: `You are invited to ${preventAutolinks(workspaceName)}`,
  blocks: [
    { text: `You are invited to the workspace ${preventAutolinks(workspaceName)}, as ${preventAutolinks(role)}.` },
    { link: `${publicBaseUrl}/v1/auth/invitations/accept?token=${token}`, label: 'Accept the invitation' },
    { text: 'The invitation expires in seven days. Accepting it confirms that this mailbox is yours.' },
    { text: 'If you do not know the workspace, ignore this mail.' },
  ],
})
