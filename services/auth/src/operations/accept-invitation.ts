import { type authUsers, type Operation, Problem } from '@wp/contracts'
import type { Context } from '../context.ts'
import { acceptInvitationByToken, requireInvitation } from '../invitations/accept-by-token.ts'
import { confirmInvitationPage, invalidInvitationPage, invitationAcceptedPage } from '../invitations/pages.ts'

/** Accepts an invitation. No session is needed, and none begins: the token proves the mailbox and nothing more. */
export const acceptInvitation: Operation<typeof authUsers.acceptInvitation, Context> = async (
  context,
  caller,
  { body },
) => {
  const { workspaceId, role } = await acceptInvitationByToken(context, caller, body.token)
  return { workspace_id: workspaceId, role }
}

/** What the link opens. It changes nothing, however often scanners and previews open it. */
export const acceptInvitationPage: Operation<typeof authUsers.acceptInvitationPage, Context> = async (
  context,
  caller,
  { query: { token = '' } },
) =>
  await requireInvitation(context, caller, token)
    .then(({ workspace_name: name, role }) => confirmInvitationPage(name, role, token))
    .catch(toInvalidInvitationPage)

/** The button of that page. */
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
