import type { Letter } from '../mail/letter.ts'
import { oneLine, unlinked } from '../mail/plain.ts'

interface Invited {
  base: string
  workspaceName: string
  role: string
  token: string
}

/** What somebody is written who is invited. */
export const invitationLetter = ({ base, workspaceName, role, token }: Invited): Letter => ({
  subject: `You are invited to ${oneLine(workspaceName)}`,
  parts: [
    { text: `You are invited to the workspace ${unlinked(workspaceName)}, as ${unlinked(role)}.` },
    { link: `${base}/v1/auth/invitations/accept?token=${token}`, label: 'Accept the invitation' },
    { text: 'The invitation lasts seven days. Whoever opens the link and accepts proves that this mailbox is theirs.' },
    { text: 'If you do not know the workspace, do nothing: without you nothing happens.' },
  ],
})
