import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { type AnyRoute, type RegisteredRouter, RouterProvider } from '@tanstack/react-router'
import { ApiError } from '@wp/client/browser'
import { signsOf } from '@wp/contracts/local-text'
import { type ReactNode, StrictMode, useMemo } from 'react'
import { createRoot } from 'react-dom/client'
import { watchConnection } from './api/connection.ts'
import { configureZod } from './configure-zod.ts'
import { createConsoleRouter } from './router.tsx'
import { findRoot } from './routing/find-root.ts'
import { loadCode } from './routing/missing-code.ts'
import { type Session, sessionQuery } from './session/session.ts'
import { browserLocale, setNumberSigns } from './ui/format/number-signs.ts'
import { type Reader, ReaderContext } from './ui/format/reader.ts'

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

/**
 * Leaves a page only when the code of the next one is there: what was typed stays if it cannot be loaded.
 */
function keepPageUntilLoaded(router: RegisteredRouter): void {
  router.history.block({
    enableBeforeUnload: false,
    blockerFn: async ({ nextLocation }) => {
      const matches = router.matchRoutes(router.parseLocation(nextLocation))
      const routes: Record<string, AnyRoute> = router.routesById
      const loads = matches.flatMap(({ routeId }) => routes[routeId]?.options.component?.preload ?? [])
      if (loads.length === 0) return false
      return !(await loadCode(nextLocation.href, () => Promise.all(loads.map((load) => load()))))
    },
  })
}

/**
 * Writes the dates and numbers of all pages as the profile of the signed-in user says. English without a region has the
 * day first, as the sentences and charts of the console have.
 */
function ReaderProvider({ children }: { children: ReactNode }) {
  const { data } = useQuery({ ...sessionQuery, enabled: false })
  const { locale, timezone } = data?.authenticated ? data.user : {}
  const reader = useMemo(
    (): Reader => ({ locale: locale === 'en' ? 'en-GB' : (locale ?? undefined), timeZone: timezone ?? undefined }),
    [locale, timezone],
  )
  // Before the pages are drawn, which format their figures while they are.
  useMemo(() => setNumberSigns(signsOf(reader.locale ?? browserLocale())), [reader.locale])
  return <ReaderContext value={reader}>{children}</ReaderContext>
}
