import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { isMember, sessionQuery } from '../session/session.ts'
import { WorkspaceProvider } from '../session/workspace-context.tsx'
import { PageFrame } from './page-frame.tsx'
import { Shell } from './shell.tsx'

const route = getRouteApi('/$workspaceId')
const ForeignWorkspacePage = lazy(async () => ({
  default: (await import('./no-workspace-page.tsx')).ForeignWorkspacePage,
}))

/** The frame of every page of a workspace: navigation, toasts and dialogs. */
export function WorkspaceFrame() {
  const { workspaceId } = route.useParams()
  const { data: session } = useQuery(sessionQuery)
  // A deleted workspace has no members, but still shows how far its deletion is.
  const isDeletion = useRouterState({ select: ({ location }) => location.pathname.endsWith('/settings/deletion') })
  if (session?.authenticated && !isMember(session.user, workspaceId) && !isDeletion)
    return (
      <Suspense>
        <ForeignWorkspacePage />
      </Suspense>
    )
  return (
    <PageFrame>
      <WorkspaceProvider key={workspaceId} workspaceId={workspaceId}>
        <Shell />
      </WorkspaceProvider>
    </PageFrame>
  )
}
