import { useWorkspaceId } from '../session/workspace-context.tsx'
import { PageTabs } from '../ui/menu/tabs.tsx'

/** The tabs of members and roles. */
export function MemberTabs() {
  const params = { workspaceId: useWorkspaceId() }
  return (
    <PageTabs
      label="Members"
      tabs={[
        { label: 'Members', link: { to: '/$workspaceId/members', params } },
        { label: 'Roles', link: { to: '/$workspaceId/members/roles', params } },
      ]}
    />
  )
}
