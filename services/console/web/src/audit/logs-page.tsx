import type { UseQueryResult } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { AuditRecord } from '@wp/contracts'
import type { z } from 'zod'
import { useApiQuery, useBaseUrl, useCan, usePrincipalNames, useWorkspaceId } from '../session/workspace-context.tsx'
import { AreaTabs } from '../shell/area-tabs.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { EmptyState } from '../ui/message/message.tsx'
import { Card, Page } from '../ui/page/page.tsx'
import type { Column } from '../ui/table/data-table.tsx'
import { type ListPage, PagedTable } from '../ui/table/paged-table.tsx'
import { CodeBlock } from '../ui/values/code-block.tsx'
import { StatusBadge, Time } from '../ui/values/values.tsx'
import styles from './audit.module.css'
import { nameOfActor } from './audit-words.ts'
import { LogFilters } from './log-filters.tsx'

const route = getRouteApi('/$workspaceId/audit')

/** The audit log of the workspace, with its filters in the address. */
export function LogsPage() {
  const search = route.useSearch()
  const workspaceId = useWorkspaceId()
  const canExport = useCan()('audit:export')
  const page = useApiQuery(['audit', 'logs', search], (api, options) => api.audit.listLogs({ query: search }, options))
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
      <AreaTabs area="Audit log" />
      <Card isFlush>
        <LogFilters />
        <LogTable page={page} cursor={search.cursor} isFiltered={Object.keys(filters).length > 0} />
      </Card>
    </Page>
  )
}

type Row = z.infer<typeof AuditRecord>

const columnsFor = (nameOf: (id: string) => string): readonly Column<Row>[] => [
  { header: 'Action', cell: ({ action }) => <code className={styles.action}>{action}</code> },
  { header: 'Actor', cell: ({ actor }) => <Actor name={nameOfActor(actor, nameOf)} /> },
  { header: 'Target', cell: ({ targets }) => <Targets targets={targets} /> },
  { header: 'Outcome', cell: ({ outcome }) => <StatusBadge status={outcome} /> },
  { header: 'Time', cell: ({ occurred_at }) => <Time value={occurred_at} format="short" />, isNarrow: true },
]

/** A page of the audit log. */
function LogTable({
  page,
  cursor,
  isFiltered,
}: {
  page: UseQueryResult<ListPage<Row>>
  cursor: string | undefined
  isFiltered: boolean
}) {
  const workspaceId = useWorkspaceId()
  const nameOf = usePrincipalNames()
  return (
    <PagedTable
      label="Audit records"
      columns={columnsFor(nameOf)}
      page={page}
      cursor={cursor}
      noun="records"
      rowKey={({ id }) => id}
      rowLink={({ id }) => ({ to: '/$workspaceId/audit/$logId', params: { workspaceId, logId: id } })}
      empty={isFiltered ? <NoMatch /> : <NoRecords />}
    />
  )
}

const Actor = ({ name }: { name: string }) => (
  <span className={styles.actor} title={name}>
    {name}
  </span>
)

function Targets({ targets }: Pick<Row, 'targets'>) {
  const [first, ...rest] = targets
  if (first === undefined) return '–'
  return (
    <span className={styles.target} title={targets.map(({ type, id }) => `${type} ${id}`).join('\n')}>
      <span className={styles.targetType}>{first.type.replaceAll('_', ' ')}</span> <code>{first.id}</code>
      {rest.length > 0 && ` and ${rest.length} more`}
    </span>
  )
}

const NoMatch = () => (
  <EmptyState icon="filter" title="No record matches these filters">
    Change or clear the filters. Records appear a moment after the action.
  </EmptyState>
)

function NoRecords() {
  const baseUrl = useBaseUrl()
  return (
    <EmptyState
      icon="audit"
      title="No records yet"
      snippet={
        <CodeBlock
          label="Command"
          code={`curl -sS "${baseUrl}/v1/audit/logs?limit=10" -H "x-api-key: $PLATFORM_API_KEY"`}
        />
      }
    >
      Every change in the workspace, and every sign-in, is recorded here.
    </EmptyState>
  )
}
