import { type authUsers, type Operation, Problem } from '@wp/contracts'
import type { Context } from '../context.ts'
import { acceptByToken, openInvitation } from '../invitations/by-token.ts'
import { acceptedPage, askingPage, endedPage } from '../invitations/page.ts'

/** Accepts an invitation. No session is needed, and none begins: the token proves the mailbox and nothing more. */
export const acceptInvitation: Operation<typeof authUsers.acceptInvitation, Context> = async (
  context,
  caller,
  { body },
) => {
  const { workspaceId, role } = await acceptByToken(context, caller, body.token)
  return { workspace_id: workspaceId, role }
}

/** What the link opens. It changes nothing, however often scanners and previews open it. */
export const acceptInvitationPage: Operation<typeof authUsers.acceptInvitationPage, Context> = async (
  context,
  caller,
  { query: { token = '' } },
) =>
  await openInvitation(context, caller, token)
    .then(({ workspace_name: name, role }) => askingPage(name, role, token))
    .catch(pageOfEnd)

/** The button of that page. */
export const confirmInvitation: Operation<typeof authUsers.confirmInvitation, Context> = async (
  context,
  caller,
  { body },
) =>
  await acceptByToken(context, caller, body.token)
    .then(({ workspaceName }) => acceptedPage(workspaceName))
    .catch(pageOfEnd)

function pageOfEnd(error: unknown) {
  if (error instanceof Problem && error.code === 'invalid_invitation') return endedPage(error.status)
  throw error
}
