import { type HtmlPage, Problem } from '@wp/contracts'
import { toSingleLine } from '@wp/mail'
import { isolateDirection, renderPage } from '@wp/service'
import type { Operation } from '../context.ts'
import { acceptInvitationByToken, requireInvitation } from '../invitations/accept-by-token.ts'

/** Accepts an invitation. Neither requires nor starts a session: the token proves only ownership of the mailbox. */
export const acceptInvitation: Operation<'acceptInvitation'> = async (context, caller, { body }) => {
  const { workspaceId, role } = await acceptInvitationByToken(context, caller, body.token)
  return { workspace_id: workspaceId, role }
}

/** Shows the page of an invitation link. Changes nothing, because mail scanners and previews open links too. */
export const acceptInvitationPage: Operation<'acceptInvitationPage'> = async (context, caller, { query: { token } }) =>
  await requireInvitation(context, caller, token)
    .then((invitation) => confirmInvitationPage(invitation, token))
    .catch(toInvalidInvitationPage)

/** Accepts the invitation when the page's button is pressed. */
export const confirmInvitation: Operation<'confirmInvitation'> = async (context, caller, { body }) =>
  await acceptInvitationByToken(context, caller, body.token).then(invitationAcceptedPage).catch(toInvalidInvitationPage)

function toInvalidInvitationPage(error: unknown) {
  if (error instanceof Problem && error.code === 'invalid_invitation') return invalidInvitationPage(error.status)
  throw error
}

const nameText = (name: string): string => isolateDirection(toSingleLine(name))

/** Asks for confirmation: opening the link alone accepts nothing. */
const confirmInvitationPage = (
  { workspaceName, role, inviter }: { workspaceName: string; role: string; inviter: string | null },
  token: string,
): HtmlPage =>
  renderPage({
    title: `Join ${nameText(workspaceName)}?`,
    paragraphs: [
      `${inviter === null ? 'You are invited' : `${nameText(inviter)} invited you`} to the workspace ${nameText(workspaceName)}, as ${nameText(role)}.`,
    ],
    form: { action: '/v1/auth/invitations/accept/confirm', fields: { token }, label: 'Accept the invitation' },
  })

const invitationAcceptedPage = ({
  workspaceId,
  workspaceName,
  email,
}: {
  workspaceId: string
  workspaceName: string
  email: string
}): HtmlPage =>
  renderPage({
    title: `Welcome to ${nameText(workspaceName)}`,
    paragraphs: [`You are now a member of ${nameText(workspaceName)}. Sign in as ${email} to begin.`],
    next: { href: `/console/${workspaceId}`, label: 'Open the workspace' },
  })

const invalidInvitationPage = (status: number): HtmlPage =>
  renderPage({
    title: 'The invitation is not valid',
    paragraphs: [
      'It was already accepted, was withdrawn, was replaced by a later mail, or is older than seven days.',
      'Ask for a new invitation. If you have accepted it, sign in.',
    ],
    status,
    next: { href: '/console/', label: 'Open the console' },
  })
