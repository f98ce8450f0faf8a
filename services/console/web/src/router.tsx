import type { QueryClient } from '@tanstack/react-query'
import {
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RegisteredRouter,
  type RouteById,
  redirect,
} from '@tanstack/react-router'
import { agentRoutes } from './agents/routes.ts'
import { dataRoutes } from './data/routes.ts'
import { developerRoutes } from './developer/routes.ts'
import { awaitFirstState } from './home/workspace-state.ts'
import { returnPath } from './routing/return-path.ts'
import { pagesBelow, rootRoute, workspaceRoute } from './routing/root-routes.tsx'
import { preferredWorkspace, sessionQuery } from './session/session.ts'
import { SignInCallbackPage } from './session/sign-in/sign-in-callback-page.tsx'
import { SignInPage } from './session/sign-in/sign-in-page.tsx'
import { settingsRoutes } from './settings/routes.ts'
import { NotFoundPage } from './shell/not-found-page.tsx'
import { solutionRoutes } from './solutions/routes.ts'
import { ErrorMessage } from './ui/message/message.tsx'
import { webhookRoutes } from './webhooks/routes.ts'
import { workplaceRoutes } from './workplace/routes.ts'

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'sign-in',
  validateSearch: ({ return_to, company }: Record<string, unknown>): { return_to?: string; company?: string } => {
    const path = returnPath(return_to)
    return { ...(path && { return_to: path }), ...(typeof company === 'string' && { company }) }
  },
  beforeLoad: async ({ context, search }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery)
    if (session.authenticated) throw redirect({ href: search.return_to ?? '/' })
  },
  component: function SignIn() {
    const { return_to: returnTo, company } = signInRoute.useSearch()
    return <SignInPage returnTo={returnTo} company={company} />
  },
})

const callbackRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'sign-in/callback',
  validateSearch: ({ login_code, error }: Record<string, unknown>): { login_code?: string; error?: string } => ({
    ...(typeof login_code === 'string' && { login_code }),
    ...(typeof error === 'string' && { error }),
  }),
  component: function Callback() {
    const { login_code: loginCode, error: reason } = callbackRoute.useSearch()
    return <SignInCallbackPage loginCode={loginCode} reason={reason} />
  },
})

const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async ({ context }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery)
    if (!session.authenticated) throw redirect({ to: '/sign-in', replace: true })
    const workspaceId = preferredWorkspace(session.user)
    if (workspaceId !== undefined) throw redirect({ to: '/$workspaceId', params: { workspaceId }, replace: true })
  },
  component: lazyRouteComponent(() => import('./shell/no-workspace-page.tsx'), 'NoWorkspacePage'),
})

/** Every component of the design system on one page, for those who build pages. It needs no session. */
const designRoute = pagesBelow(rootRoute)('design', () => import('./design/design-page.tsx'), 'DesignPage')

const homeRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/',
  loader: ({ context, params }) => awaitFirstState(context.queryClient, params.workspaceId),
  component: lazyRouteComponent(() => import('./home/home-page.tsx'), 'HomePage'),
})

/** Creates the router of the console. The code of every area is loaded when it is first opened. */
export const createConsoleRouter = (queryClient: QueryClient) =>
  createRouter({
    basepath: '/console',
    routeTree: rootRoute.addChildren([
      signInRoute,
      callbackRoute,
      startRoute,
      designRoute,
      workspaceRoute.addChildren([
        homeRoute,
        ...workplaceRoutes,
        ...developerRoutes,
        ...webhookRoutes,
        ...dataRoutes,
        ...solutionRoutes,
        ...agentRoutes,
        ...settingsRoutes,
      ]),
    ]),
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPendingMs: 300,
    // Parameters that no page declares are removed, so that they are not sent to the API.
    search: { strict: true },
    scrollRestoration: true,
    defaultErrorComponent: ({ error, reset }) => (
      <div style={{ padding: 'var(--space-6)' }}>
        <ErrorMessage error={error} onRetry={reset} />
      </div>
    ),
    defaultNotFoundComponent: NotFoundPage,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}

/** The search parameters of a page, by the id of its route. */
export type SearchOf<RouteId> = RouteById<RegisteredRouter['routeTree'], RouteId>['types']['fullSearchSchema']
