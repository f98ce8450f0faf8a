import { useWorkspaceId } from '../session/workspace-context.tsx'
import { PageTabs } from '../ui/menu/tabs.tsx'

/** The tabs of the settings. */
export function SettingsTabs() {
  const params = { workspaceId: useWorkspaceId() }
  return (
    <PageTabs
      label="Settings"
      tabs={[
        { label: 'Workspace', link: { to: '/$workspaceId/settings', params } },
        { label: 'Profile', link: { to: '/$workspaceId/settings/profile', params } },
        { label: 'Sessions', link: { to: '/$workspaceId/settings/sessions', params } },
      ]}
    />
  )
}
