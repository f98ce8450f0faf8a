import type { QueryClient } from '@tanstack/react-query'
import { createRoute, createRouter, redirect } from '@tanstack/react-router'
import { rootRoute, workspaceRoute } from '../routing/root-routes.tsx'
import { ErrorMessage } from '../ui/message/message.tsx'
import { webhookRoutes } from '../webhooks/routes.ts'
import { PortalFrame, portalWorkspace } from './portal-frame.tsx'

/** The list of all deliveries and event destinations are of the workspace; the page of a webhook lists its own. */
const isOfWorkspace = (path: string): boolean =>
  path === 'webhooks/deliveries' || /^webhooks\/destinations(\/|$)/.test(path)

const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/$workspaceId/webhooks', params: { workspaceId: portalWorkspace }, replace: true })
  },
})

/**
 * Creates the router of the portal: the pages of webhooks of the console, at the same paths, in a frame of their own
 * and without a session. The routes are those of this document alone, so they can be changed.
 * @param basepath the path of the page of the link
 */
export function createPortalRouter(queryClient: QueryClient, basepath: string) {
  Object.assign(workspaceRoute.options, { component: PortalFrame, beforeLoad: undefined })
  const pages = webhookRoutes.filter(({ options }) => !isOfWorkspace((options as { path: string }).path)) // every page has one
  return createRouter({
    basepath,
    routeTree: rootRoute.addChildren([startRoute, workspaceRoute.addChildren(pages)]),
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPendingMs: 300,
    search: { strict: true },
    scrollRestoration: true,
    defaultErrorComponent: ({ error, reset }) => <ErrorMessage error={error} onRetry={reset} />,
    defaultNotFoundComponent: () => <p>This page does not exist.</p>,
  })
}
