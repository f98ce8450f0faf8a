import { createRoute, redirect } from '@tanstack/react-router'
import { rememberWorkspace, sessionQuery } from '../session/session.ts'
import { WorkspaceProvider } from '../session/workspace-context.tsx'
import { NotFoundPage } from '../shell/not-found-page.tsx'
import { Shell } from '../shell/shell.tsx'
import { rootRoute } from './root-route.tsx'

/** The parent of every page of a workspace. Areas add their routes below it. */
export const workspaceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$workspaceId',
  notFoundComponent: NotFoundPage,
  beforeLoad: async ({ context, location, params: { workspaceId } }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery)
    if (!session.authenticated) throw redirect({ to: '/sign-in', search: { return_to: location.href }, replace: true })
    if (session.user.workspaces.some(({ workspace_id }) => workspace_id === workspaceId)) rememberWorkspace(workspaceId)
  },
  component: function Workspace() {
    const { workspaceId } = workspaceRoute.useParams()
    return (
      <WorkspaceProvider key={workspaceId} workspaceId={workspaceId}>
        <Shell />
      </WorkspaceProvider>
    )
  },
})
