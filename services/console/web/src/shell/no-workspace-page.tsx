import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { createApiClient } from '../api/api-client.ts'
import { logout } from '../session/session-requests.ts'
import styles from '../session/sign-in/sign-in.module.css'
import { SignInScreen } from '../session/sign-in/sign-in-screen.tsx'
import { Button } from '../ui/button/button.tsx'
import { isolate } from '../ui/format/untrusted-text.ts'
import { ErrorMessage } from '../ui/message/message.tsx'
import { CreateWorkspaceDialog } from './create-workspace-dialog.tsx'
import { PageFrame } from './page-frame.tsx'

/** Shown to a user without a workspace: accepts an invitation, or creates a workspace. */
export function NoWorkspacePage() {
  const queryClient = useQueryClient()
  const [isCreating, setCreating] = useState(false)
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
  return (
    <PageFrame>
      <SignInScreen title="Choose a workspace">
        <div className={styles.form}>
          <p>You are not a member of a workspace yet.</p>
          {invitations.error && <ErrorMessage error={invitations.error} />}
          {invitations.data?.items.map(({ id, workspace_name, role }) => (
            <Button key={id} variant="primary" onClick={() => accept(id)}>
              Join {isolate(workspace_name)} as {role}
            </Button>
          ))}
          <Button onClick={() => setCreating(true)}>Create a workspace</Button>
          <Button variant="quiet" onClick={() => logout().finally(() => location.assign('/console/sign-in'))}>
            Sign out
          </Button>
        </div>
        <CreateWorkspaceDialog isOpen={isCreating} onClose={() => setCreating(false)} />
      </SignInScreen>
    </PageFrame>
  )
}
