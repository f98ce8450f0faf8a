import type { UseQueryResult } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { AuditRecord } from '@wp/contracts'
import { useState } from 'react'
import type { z } from 'zod'
import { useResourceNames } from '../names/resource-names.ts'
import { useApiQuery, useBaseUrl, useCan } from '../session/workspace-context.tsx'
import { AreaTabs } from '../shell/area-tabs.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { EmptyState } from '../ui/message/message.tsx'
import { Card, Page, Stack } from '../ui/page/page.tsx'
import type { Column } from '../ui/table/data-table.tsx'
import { type ListPage, PagedTable } from '../ui/table/paged-table.tsx'
import { RowDrawer } from '../ui/table/row-drawer.tsx'
import { CodeBlock } from '../ui/values/code-block.tsx'
import { DefinitionList, StatusBadge, Time } from '../ui/values/values.tsx'
import styles from './audit.module.css'
import { actionWords, type NameOf, nameOfActor, nameOfTarget } from './audit-words.ts'
import { ChangeTable } from './change-table.tsx'
import { LogFilters } from './log-filters.tsx'

const route = getRouteApi('/$workspaceId/audit')

/** The audit log of the workspace, with its filters in the address. */
export function LogsPage() {
  const search = route.useSearch()
  const canExport = useCan()('audit:export')
  const page = useApiQuery(['audit', 'logs', search], (api, options) => api.audit.listLogs({ query: search }, options))
  const { cursor: _cursor, ...filters } = search
  return (
    <Page
      title="Audit log"
      description="Who did what in this workspace, and when. Every record is linked to the one before it by its hash."
      actions={
        canExport && (
          <ButtonLink to="/$workspaceId/audit/exports" search={{ ...filters, create: true }}>
            Export
          </ButtonLink>
        )
      }
    >
      <AreaTabs area="Audit log" />
      <Card isFlush>
        <LogFilters />
        <LogTable page={page} isFiltered={Object.keys(filters).length > 0} />
      </Card>
    </Page>
  )
}

type Row = z.infer<typeof AuditRecord>

const columnsFor = (nameOf: NameOf): readonly Column<Row>[] => [
  { header: 'Action', cell: ({ action }) => <span title={action}>{actionWords(action)}</span> },
  { header: 'Actor', cell: ({ actor }) => <Name name={nameOfActor(actor, nameOf)} /> },
  { header: 'Target', cell: ({ targets }) => <Name name={namesOfTargets(targets, nameOf)} /> },
  { header: 'Outcome', cell: ({ outcome }) => <StatusBadge status={outcome} /> },
  { header: 'Time', cell: ({ occurred_at }) => <Time value={occurred_at} format="absolute" />, isNarrow: true },
]

function namesOfTargets(targets: Row['targets'], nameOf: NameOf): string {
  const [first, ...rest] = targets
  if (first === undefined) return '–'
  // The action says of which kind the target is.
  return `${nameOf(first.id) ?? nameOfTarget(first, nameOf)}${rest.length > 0 ? ` and ${rest.length} more` : ''}`
}

/** A page of the audit log, with a look at one record beside it. */
function LogTable({ page, isFiltered }: { page: UseQueryResult<ListPage<Row>>; isFiltered: boolean }) {
  const rows = page.data?.items ?? []
  const nameOf = useResourceNames(rows.flatMap(({ actor, targets }) => [actor.id, ...targets.map(({ id }) => id)]))
  const [shown, setShown] = useState<Row>()
  const linkTo = ({ id }: Row) => ({ to: '/$workspaceId/audit/$logId', params: { logId: id } }) as const
  return (
    <>
      <PagedTable
        label="Audit records"
        columns={columnsFor(nameOf)}
        page={page}
        noun="records"
        rowKey={({ id }) => id}
        rowName={({ action, targets }) => `${actionWords(action)}: ${namesOfTargets(targets, nameOf)}`}
        rowLink={linkTo}
        onPreview={setShown}
        empty={isFiltered ? <NoMatch /> : <NoRecords />}
      />
      <RowDrawer
        row={shown}
        onClose={() => setShown(undefined)}
        title={({ action }) => actionWords(action)}
        description={({ occurred_at }) => <Time value={occurred_at} format="absolute" />}
        page={linkTo}
        pageLabel="Open the record"
      >
        {(row) => <LogSummary row={row} nameOf={nameOf} />}
      </RowDrawer>
    </>
  )
}

const LogSummary = ({ row: { actor, targets, outcome, context, changes }, nameOf }: { row: Row; nameOf: NameOf }) => (
  <Stack>
    <DefinitionList
      items={[
        ['Outcome', <StatusBadge key="outcome" status={outcome} />],
        ['Actor', nameOfActor(actor, nameOf)],
        ...targets.map((target) => ['Target', nameOfTarget(target, nameOf)] as const).slice(0, 1),
        targets.length > 1 && ['Further targets', targets.length - 1],
        ['IP address', context.ip ?? 'Unknown or erased'],
      ]}
    />
    <h3>Changes</h3>
    <ChangeTable changes={changes} />
  </Stack>
)

const Name = ({ name }: { name: string }) => (
  <span className={styles.name} title={name}>
    {name}
  </span>
)

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
        <CodeBlock label="Command" code={`curl -sS "${baseUrl}/v1/audit/logs?limit=10" -H "x-api-key: $WP_API_KEY"`} />
      }
    >
      Every change in the workspace, and every sign-in, is recorded here.
    </EmptyState>
  )
}
