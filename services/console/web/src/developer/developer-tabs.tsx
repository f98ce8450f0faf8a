import { useWorkspaceId } from '../session/workspace-context.tsx'
import { PageTabs } from '../ui/tabs.tsx'

/** The tabs of the developer pages. */
export function DeveloperTabs() {
  const workspaceId = useWorkspaceId()
  const params = { workspaceId }
  return (
    <PageTabs
      label="Developer"
      tabs={[
        { label: 'Service principals', link: { to: '/$workspaceId/developer', params } },
        { label: 'API keys', link: { to: '/$workspaceId/developer/keys', params } },
      ]}
    />
  )
}
