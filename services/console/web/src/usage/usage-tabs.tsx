import { useWorkspaceId } from '../session/workspace-context.tsx'
import { PageTabs } from '../ui/menu/tabs.tsx'

/** The tabs of usage and billing. */
export function UsageTabs() {
  const params = { workspaceId: useWorkspaceId() }
  return (
    <PageTabs
      label="Usage"
      tabs={[
        { label: 'Usage', link: { to: '/$workspaceId/usage', params } },
        { label: 'Plan', link: { to: '/$workspaceId/usage/plan', params } },
        { label: 'Invoices', link: { to: '/$workspaceId/usage/invoices', params } },
      ]}
    />
  )
}
