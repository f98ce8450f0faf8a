import { type authUsers, type HtmlPage, type Operation, Problem } from '@wp/contracts'
import { toSingleLine } from '@wp/mail'
import { renderPage } from '@wp/service'
import type { Context } from '../context.ts'
import { acceptInvitationByToken, requireInvitation } from '../invitations/accept-by-token.ts'

/** Accepts an invitation. Neither requires nor starts a session: the token proves only ownership of the mailbox. */
export const acceptInvitation: Operation<typeof authUsers.acceptInvitation, Context> = async (
  context,
  caller,
  { body },
) => {
  const { workspaceId, role } = await acceptInvitationByToken(context, caller, body.token)
  return { workspace_id: workspaceId, role }
}

/** Shows the page of an invitation link. Changes nothing, because mail scanners and previews open links too. */
export const acceptInvitationPage: Operation<typeof authUsers.acceptInvitationPage, Context> = async (
  context,
  caller,
  { query: { token } },
) =>
  await requireInvitation(context, caller, token)
    .then(({ workspaceName: name, role }) => confirmInvitationPage(name, role, token))
    .catch(toInvalidInvitationPage)

/** Accepts the invitation when the page's button is pressed. */
export const confirmInvitation: Operation<typeof authUsers.confirmInvitation, Context> = async (
  context,
  caller,
  { body },
) =>
  await acceptInvitationByToken(context, caller, body.token)
    .then(({ workspaceName }) => invitationAcceptedPage(workspaceName))
    .catch(toInvalidInvitationPage)

function toInvalidInvitationPage(error: unknown) {
  if (error instanceof Problem && error.code === 'invalid_invitation') return invalidInvitationPage(error.status)
  throw error
}

/** Asks for confirmation: opening the link alone accepts nothing. */
const confirmInvitationPage = (workspaceName: string, role: string, token: string): HtmlPage =>
  renderPage({
    title: 'Accept the invitation?',
    paragraphs: [`You are invited to the workspace ${toSingleLine(workspaceName)}, as ${toSingleLine(role)}.`],
    form: { action: '/v1/auth/invitations/accept/confirm', fields: { token }, label: 'Accept' },
  })

const invitationAcceptedPage = (workspaceName: string): HtmlPage =>
  renderPage({
    title: 'Invitation accepted',
    paragraphs: [
      `You are now a member of ${toSingleLine(workspaceName)}. Sign in with the mail address of the invitation.`,
    ],
  })

const invalidInvitationPage = (status: number): HtmlPage =>
  renderPage({
    title: 'The invitation is not valid',
    paragraphs: [
      'It was already accepted, was withdrawn, was replaced by a later mail, or is older than seven days.',
      'Ask for a new invitation.',
    ],
    status,
  })
