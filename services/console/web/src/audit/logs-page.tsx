import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useApi, useCan, useWorkspaceId } from '../session/workspace-context.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { Card, Page } from '../ui/page/page.tsx'
import { AuditTabs } from './audit-tabs.tsx'
import { LogFilters } from './log-filters.tsx'
import { LogTable } from './log-table.tsx'

const route = getRouteApi('/$workspaceId/audit')

/** The audit log of the workspace, with its filters in the address. */
export function LogsPage() {
  const search = route.useSearch()
  const api = useApi()
  const workspaceId = useWorkspaceId()
  const canExport = useCan()('audit:export')
  const page = useQuery({
    queryKey: [workspaceId, 'audit', 'logs', search],
    queryFn: ({ signal }) => api.audit.listLogs({ query: search }, { signal }),
  })
  const { cursor: _cursor, ...filters } = search
  return (
    <Page
      title="Audit log"
      description="Who did what in this workspace, and when. Every record is linked to the one before it by its hash."
      actions={
        canExport && (
          <ButtonLink to="/$workspaceId/audit/exports" params={{ workspaceId }} search={{ ...filters, create: true }}>
            Export
          </ButtonLink>
        )
      }
    >
      <AuditTabs />
      <Card isFlush>
        <LogFilters />
        <LogTable page={page} cursor={search.cursor} isFiltered={Object.keys(filters).length > 0} />
      </Card>
    </Page>
  )
}
