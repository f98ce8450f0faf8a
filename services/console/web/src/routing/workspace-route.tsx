import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { rememberWorkspace, sessionQuery } from '../session/session.ts'
import { NotFoundPage } from '../shell/not-found-page.tsx'
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
  component: lazyRouteComponent(() => import('../shell/workspace-frame.tsx'), 'WorkspaceFrame'),
})
