import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { ApiError } from '@wp/client/browser'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '@fontsource-variable/inter/wght.css'
import './theme/tokens.css'
import './theme/base.css'
import { configureZod } from './configure-zod.ts'
import { reloadOnStaleBuild } from './reload-on-stale-build.ts'
import { createConsoleRouter } from './router.tsx'
import { startTheme } from './theme/theme.ts'

configureZod()
startTheme()
reloadOnStaleBuild()

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // Another tab may have changed something.
      refetchOnWindowFocus: 'always',
      // The client has repeated what may be repeated; an error response stays the same.
      retry: (failures, error) => failures < 1 && !(error instanceof ApiError),
    },
  },
})
const router = createConsoleRouter(queryClient)
type RouteId = keyof typeof router.routesById
// The code of the page is loaded while the session is awaited.
for (const { routeId } of router.matchRoutes(router.latestLocation))
  router.loadRouteChunk(router.routesById[routeId as RouteId])?.catch(() => undefined) // a match is of one of the routes

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no root element')
createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
)
