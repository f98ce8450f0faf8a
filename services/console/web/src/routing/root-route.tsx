import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext } from '@tanstack/react-router'
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
