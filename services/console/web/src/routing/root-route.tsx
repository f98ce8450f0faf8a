import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router'
import { SessionEndedDialog, StepUpDialog } from '../session/session-dialogs.tsx'
import { NotFoundPage } from '../shell/not-found-page.tsx'

interface RouterContext {
  queryClient: QueryClient
}

/** The root of all pages. */
export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: () => (
    <>
      <Outlet />
      <StepUpDialog />
      <SessionEndedDialog />
    </>
  ),
  notFoundComponent: () => (
    <main>
      <NotFoundPage />
    </main>
  ),
})
