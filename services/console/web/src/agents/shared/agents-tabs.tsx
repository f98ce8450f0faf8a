import { useWorkspaceId } from '../../session/workspace-context.tsx'
import { PageTabs } from '../../ui/menu/tabs.tsx'

/** The lists of the area. */
export function AgentsTabs() {
  const params = { workspaceId: useWorkspaceId() }
  return (
    <PageTabs
      label="Agents"
      tabs={[
        { label: 'Agents', link: { to: '/$workspaceId/agents', params } },
        { label: 'Blueprints', link: { to: '/$workspaceId/agents/blueprints', params } },
        { label: 'Runs', link: { to: '/$workspaceId/agents/runs', params } },
        { label: 'Conversations', link: { to: '/$workspaceId/agents/conversations', params } },
      ]}
    />
  )
}
