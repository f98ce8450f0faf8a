import { useWorkspaceId } from '../session/workspace-context.tsx'
import { PageTabs } from '../ui/menu/tabs.tsx'

/** The tabs of the notification pages. */
export function NotificationTabs() {
  const params = { workspaceId: useWorkspaceId() }
  return (
    <PageTabs
      label="Notifications"
      tabs={[
        { label: 'Feed', link: { to: '/$workspaceId/notifications', params } },
        { label: 'Settings', link: { to: '/$workspaceId/notifications/settings', params } },
      ]}
    />
  )
}
