import { useCan, useWorkspaceId } from '../../session/workspace-context.tsx'
import { PageTabs } from '../../ui/menu/tabs.tsx'

/** The tabs of the developer pages that the user may see. */
export function DeveloperTabs() {
  const params = { workspaceId: useWorkspaceId() }
  const principals = { label: 'Service principals', link: { to: '/$workspaceId/developer', params } } as const
  const keys = { label: 'API keys', link: { to: '/$workspaceId/developer/keys', params } } as const
  return <PageTabs label="Developer" tabs={useCan()('auth:admin') ? [principals, keys] : [keys]} />
}
