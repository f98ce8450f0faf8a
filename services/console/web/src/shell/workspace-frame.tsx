import { getRouteApi } from '@tanstack/react-router'
import { WorkspaceProvider } from '../session/workspace-context.tsx'
import { PageFrame } from './page-frame.tsx'
import { Shell } from './shell.tsx'

const route = getRouteApi('/$workspaceId')

/** The frame of every page of a workspace: navigation, toasts and dialogs. */
export function WorkspaceFrame() {
  const { workspaceId } = route.useParams()
  return (
    <PageFrame>
      <WorkspaceProvider key={workspaceId} workspaceId={workspaceId}>
        <Shell />
      </WorkspaceProvider>
    </PageFrame>
  )
}
