import type { UseQueryResult } from '@tanstack/react-query'
import type { AuditDoc } from '@wp/contracts'
import type { z } from 'zod'
import { useBaseUrl } from '../../session/workspace-context.tsx'
import { formatBytes, formatNumber } from '../../ui/format/format.ts'
import { EmptyState } from '../../ui/message/message.tsx'
import type { Column } from '../../ui/table/data-table.tsx'
import { type ListPage, PagedTable } from '../../ui/table/paged-table.tsx'
import { CodeBlock } from '../../ui/values/code-block.tsx'
import { Progress } from '../../ui/values/progress.tsx'
import { StatusBadge, Time } from '../../ui/values/values.tsx'
import { formatNames } from '../audit-words.ts'

type Row = z.infer<typeof AuditDoc>

const columns: readonly Column<Row>[] = [
  {
    header: 'Records',
    cell: ({ from, to }) => (
      <>
        <Time value={from} format="absolute" /> to <Time value={to} format="absolute" />
      </>
    ),
  },
  { header: 'Format', cell: ({ format }) => formatNames[format] },
  {
    header: 'Status',
    cell: ({ status, progress }) =>
      status === 'running' ? <Progress value={progress} label="Running" /> : <StatusBadge status={status} />,
  },
  {
    header: 'Count',
    cell: ({ record_count: count }) => (count === null ? '–' : formatNumber(count)),
    align: 'end',
    isNarrow: true,
  },
  { header: 'Size', cell: ({ bytes }) => (bytes === null ? '–' : formatBytes(bytes)), align: 'end' },
  { header: 'Started', cell: ({ created_at }) => <Time value={created_at} /> },
  { header: 'Expires', cell: ({ expires_at }) => <Time value={expires_at} /> },
]

/** A page of the compliance exports. */
export function ExportTable({ page, isFiltered }: { page: UseQueryResult<ListPage<Row>>; isFiltered: boolean }) {
  return (
    <PagedTable
      columns={columns}
      page={page}
      noun="exports"
      rowKey={({ id }) => id}
      rowLink={({ id }) => ({ to: '/$workspaceId/audit/exports/$docId', params: { docId: id } })}
      empty={
        isFiltered ? (
          <EmptyState icon="filter" title="No export has this status">
            Choose another status.
          </EmptyState>
        ) : (
          <NoExports />
        )
      }
    />
  )
}

function NoExports() {
  const baseUrl = useBaseUrl()
  const to = new Date()
  const from = new Date(to.getTime() - 30 * 86_400_000)
  const body = JSON.stringify({ format: 'csv', from: toMinute(from), to: toMinute(to) })
  return (
    <EmptyState
      icon="download"
      title="No exports yet"
      snippet={
        <CodeBlock
          label="Command"
          code={`curl -sS ${baseUrl}/v1/audit/docs \\
  -H "x-api-key: $WP_API_KEY" -H "idempotency-key: $(uuidgen)" \\
  -H "content-type: application/json" \\
  -d '${body}'`}
        />
      }
    >
      An export is a file with the records of a time range and its checksum. It is kept for a limited time.
    </EmptyState>
  )
}

const toMinute = (at: Date): string => `${at.toISOString().slice(0, 16)}:00Z`
