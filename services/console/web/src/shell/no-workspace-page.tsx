import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { createApiClient } from '../api/api-client.ts'
import { sessionQuery } from '../session/session.ts'
import { logout } from '../session/session-requests.ts'
import styles from '../session/sign-in/sign-in.module.css'
import { SignInScreen } from '../session/sign-in/sign-in-screen.tsx'
import { Button } from '../ui/button/button.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { isolate } from '../ui/format/untrusted-text.ts'
import { ErrorMessage } from '../ui/message/message.tsx'
import { CreateWorkspaceDialog } from './create-workspace-dialog.tsx'
import { PageFrame } from './page-frame.tsx'

/** Shown to a user without a workspace: accepts an invitation, or creates a workspace. */
export const NoWorkspacePage = () => (
  <PageFrame>
    <SignInScreen title="Choose a workspace">
      <WorkspaceChoice reason="You are not a member of a workspace yet." />
    </SignInScreen>
  </PageFrame>
)

/** Shown for the address of a workspace that the user is not a member of, or that does not exist. */
export const ForeignWorkspacePage = () => (
  <PageFrame>
    <SignInScreen title="You have no access to this workspace">
      <WorkspaceChoice reason="It may have been deleted, or you are signed in with another address than the one that was invited." />
    </SignInScreen>
  </PageFrame>
)

function WorkspaceChoice({ reason }: { reason: string }) {
  const queryClient = useQueryClient()
  const [isCreating, setCreating] = useState(false)
  const { data: session } = useQuery(sessionQuery)
  const api = createApiClient(undefined)
  const invitations = useQuery({
    queryKey: ['invitations'],
    queryFn: ({ signal }) => api.auth.listInvitations({}, { signal }),
  })
  const accept = async (id: string) => {
    await api.auth.acceptInvitationById({ params: { id } })
    await queryClient.invalidateQueries()
    location.assign('/console/')
  }
  const user = session?.authenticated ? session.user : undefined
  return (
    <div className={styles.form}>
      <p>{reason}</p>
      {user && (
        <p>
          You are signed in as <strong>{user.email}</strong>.
        </p>
      )}
      {invitations.error && <ErrorMessage error={invitations.error} />}
      {user?.workspaces.map(({ workspace_id: workspaceId, name }) => (
        <ButtonLink key={workspaceId} variant="primary" to="/$workspaceId" params={{ workspaceId }}>
          Open {isolate(name)}
        </ButtonLink>
      ))}
      {invitations.data?.items.map(({ id, workspace_name, role }) => (
        <Button key={id} variant="primary" onClick={() => accept(id)}>
          Join {isolate(workspace_name)} as {role}
        </Button>
      ))}
      <Button onClick={() => setCreating(true)}>Create a workspace</Button>
      <Button variant="quiet" onClick={() => logout().finally(() => location.assign('/console/sign-in'))}>
        Sign out
      </Button>
      <CreateWorkspaceDialog isOpen={isCreating} onClose={() => setCreating(false)} />
    </div>
  )
}
