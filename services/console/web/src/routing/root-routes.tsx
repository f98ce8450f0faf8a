import type { QueryClient } from '@tanstack/react-query'
import {
  type AnyRoute,
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router'
import { type Parameters, readSearch } from '../api/search-params.ts'
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

/**
 * Returns a function that declares the pages below a route. The code of a page is loaded when it is first opened.
 * Parameters that it does not declare are removed from its address.
 */
export const pagesBelow =
  <Parent extends AnyRoute>(parent: Parent) =>
  <const Path extends string, Name extends string, const Of extends Parameters = Record<never, never>>(
    path: Path,
    load: () => Promise<Record<Name, RouteComponent>>,
    name: Name,
    parameters: Of = {} as Of, // the default of the type
  ) =>
    createRoute({
      getParentRoute: () => parent,
      path,
      component: lazyRouteComponent(load, name) as RouteComponent, // the module has a component of this name
      validateSearch: (search: Record<string, unknown>) => readSearch(search, parameters),
    })

/** Declares a page of a workspace. */
export const workspacePage = pagesBelow(workspaceRoute)
