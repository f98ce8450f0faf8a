import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { ApiError } from '@wp/client/browser'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { watchConnection } from './api/connection.ts'
import { configureZod } from './configure-zod.ts'
import { createConsoleRouter } from './router.tsx'
import { findRoot } from './routing/find-root.ts'
import { keepPageUntilLoaded } from './routing/keep-page.ts'
import { ReaderProvider } from './session/reader-provider.tsx'
import { type Session, sessionQuery } from './session/session.ts'

/** Starts the console at the address of the page. @param session the session of this browser, if it is known already */
export function startApp(session?: Session): void {
  configureZod()
  const queryClient = createQueryClient()
  if (session !== undefined) queryClient.setQueryData(sessionQuery.queryKey, session)
  const router = createConsoleRouter(queryClient)
  keepPageUntilLoaded(router)
  watchConnection()
  // Until now the frame in the HTML of the page was shown.
  router.subscribe('onRendered', () => document.getElementById('frame')?.remove())
  type RouteId = keyof typeof router.routesById
  // The code of the page is loaded while the session is awaited.
  for (const { routeId } of router.matchRoutes(router.latestLocation))
    router.loadRouteChunk(router.routesById[routeId as RouteId])?.catch(() => undefined) // a match is of one of the routes
  createRoot(findRoot()).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queryClient}>
          <ReaderProvider>
            <RouterProvider router={router} />
          </ReaderProvider>
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  )
}

const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // Another tab may have changed something.
        refetchOnWindowFocus: 'always',
        // The client has repeated what may be repeated; an error response stays the same.
        retry: (failures, error) => failures < 1 && !(error instanceof ApiError),
      },
      // A change fails at once without a network, instead of being made later, unseen.
      mutations: { networkMode: 'always' },
    },
  })
