import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router'
import { isMember, rememberWorkspace, sessionQuery } from '../session/session.ts'
import { NotFoundPage } from '../shell/not-found-page.tsx'

interface RouterContext {
  queryClient: QueryClient
}

/** The root of all pages. */
export const rootRoute = createRootRouteWithContext<RouterContext>()({
  notFoundComponent: () => (
    <main>
      <NotFoundPage />
    </main>
  ),
})

/** A session that is older is read again before a workspace counts as foreign. */
const maxForeignAgeMs = 5_000

/** The parent of every page of a workspace. Areas add their routes below it. */
export const workspaceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$workspaceId',
  notFoundComponent: NotFoundPage,
  beforeLoad: async ({ context, location, params: { workspaceId } }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery)
    if (!session.authenticated) throw redirect({ to: '/sign-in', search: { return_to: location.href }, replace: true })
    if (isMember(session.user, workspaceId)) rememberWorkspace(workspaceId)
    // Another tab may have created or joined it.
    else await context.queryClient.fetchQuery({ ...sessionQuery, staleTime: maxForeignAgeMs })
  },
  component: lazyRouteComponent(() => import('../shell/workspace-frame.tsx'), 'WorkspaceFrame'),
})

/** Declares a page of a workspace. @param readSearch reads the search parameters of the page; others are removed */
export const workspacePage = <const Path extends string, Search extends object = Record<never, never>>(
  path: Path,
  component: RouteComponent,
  readSearch: (search: Record<string, unknown>) => Search = () => ({}) as Search, // the default of the type
) => createRoute({ getParentRoute: () => workspaceRoute, path, component, validateSearch: readSearch })
