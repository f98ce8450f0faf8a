import type { UseQueryResult } from '@tanstack/react-query'
import type { AuditRecord } from '@wp/contracts'
import type { z } from 'zod'
import { useBaseUrl } from '../session/use-base-url.ts'
import { usePrincipalNames } from '../session/use-principal-names.ts'
import { useWorkspaceId } from '../session/workspace-context.tsx'
import { StatusBadge } from '../ui/data/badge.tsx'
import { CodeBlock } from '../ui/data/code-block.tsx'
import { Time } from '../ui/data/time.tsx'
import { EmptyState } from '../ui/message/empty-state.tsx'
import { type Column, DataTable } from '../ui/table/data-table.tsx'
import { Pager } from '../ui/table/pager.tsx'
import { nameOfActor } from './actor-name.ts'
import styles from './audit.module.css'

type Row = z.infer<typeof AuditRecord>

const columnsFor = (nameOf: (id: string) => string): readonly Column<Row>[] => [
  { header: 'Action', cell: ({ action }) => <code className={styles.action}>{action}</code> },
  { header: 'Actor', cell: ({ actor }) => <Actor name={nameOfActor(actor, nameOf)} /> },
  { header: 'Target', cell: ({ targets }) => <Targets targets={targets} /> },
  { header: 'Outcome', cell: ({ outcome }) => <StatusBadge status={outcome} /> },
  { header: 'Time', cell: ({ occurred_at }) => <Time value={occurred_at} format="short" />, isNarrow: true },
]

/** A page of the audit log. */
export function LogTable({
  page,
  cursor,
  isFiltered,
}: {
  page: UseQueryResult<{ items: Row[]; nextCursor: string | null }>
  cursor: string | undefined
  isFiltered: boolean
}) {
  const workspaceId = useWorkspaceId()
  const nameOf = usePrincipalNames()
  return (
    <DataTable
      label="Audit records"
      columns={columnsFor(nameOf)}
      rows={page.data?.items}
      rowKey={({ id }) => id}
      rowLink={({ id }) => ({ to: '/$workspaceId/audit/$logId', params: { workspaceId, logId: id } })}
      error={page.error}
      onRetry={() => void page.refetch()}
      empty={isFiltered ? <NoMatch /> : <NoRecords />}
      footer={
        page.data && (
          <Pager cursor={cursor} nextCursor={page.data.nextCursor} shown={page.data.items.length} noun="records" />
        )
      }
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
