import { type authUsers, type Operation, Problem } from '@wp/contracts'
import type { Context } from '../context.ts'
import { acceptInvitationByToken, requireInvitation } from '../invitations/accept-by-token.ts'
import { confirmInvitationPage, invalidInvitationPage, invitationAcceptedPage } from '../invitations/pages.ts'

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
