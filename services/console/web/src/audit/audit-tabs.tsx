import { useCan, useWorkspaceId } from '../session/workspace-context.tsx'
import { PageTabs } from '../ui/menu/tabs.tsx'

/** The tabs of the audit pages. */
export function AuditTabs() {
  const params = { workspaceId: useWorkspaceId() }
  const canExport = useCan()('audit:export')
  return (
    <PageTabs
      label="Audit log"
      tabs={[
        { label: 'Records', link: { to: '/$workspaceId/audit', params } },
        { label: 'Verify', link: { to: '/$workspaceId/audit/verify', params } },
        ...(canExport ? [{ label: 'Exports', link: { to: '/$workspaceId/audit/exports', params } } as const] : []),
      ]}
    />
  )
}
