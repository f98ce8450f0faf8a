import { useWorkspaceId } from '../../session/workspace-context.tsx'
import { PageTabs } from '../../ui/menu/tabs.tsx'

/** The tabs of the webhook pages. */
export function WebhookTabs() {
  const params = { workspaceId: useWorkspaceId() }
  return (
    <PageTabs
      label="Webhooks"
      tabs={[
        { label: 'Subscriptions', link: { to: '/$workspaceId/webhooks', params } },
        { label: 'Deliveries', link: { to: '/$workspaceId/webhooks/deliveries', params } },
        { label: 'Event catalogue', link: { to: '/$workspaceId/webhooks/events', params } },
      ]}
    />
  )
}
