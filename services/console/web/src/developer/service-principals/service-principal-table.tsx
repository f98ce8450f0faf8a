import type { ServicePrincipal } from '@wp/contracts'
import type { ComponentProps } from 'react'
import type { z } from 'zod'
import { usePrincipalNames } from '../../names/resource-names.ts'
import { useBaseUrl, useCan, useWorkspace, useWorkspaceId } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { isolate } from '../../ui/format/untrusted-text.ts'
import { EmptyState } from '../../ui/message/message.tsx'
import { BulkTable } from '../../ui/table/bulk-table.tsx'
import type { Column } from '../../ui/table/data-table.tsx'
import { Snippets } from '../../ui/values/code-block.tsx'
import { Id, StatusBadge, Time } from '../../ui/values/values.tsx'
import { LastUse } from '../shared/secret-dialogs.tsx'
import { principalSnippets } from '../shared/snippets.ts'

type Row = z.infer<typeof ServicePrincipal>

const columnsFor = (nameOf: (id: string) => string, hasEnvironments: boolean): readonly Column<Row>[] => [
  { header: 'Name', cell: ({ name }) => name },
  { header: 'Client id', cell: ({ client_id }) => <Id value={client_id} label="Copy client id" isCompact /> },
  ...(hasEnvironments ? [{ header: 'Environment', cell: ({ environment }: Row) => environment ?? '–' }] : []),
  { header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    header: 'Created by',
    cell: ({ created_by, creator_removed }) => `${isolate(nameOf(created_by))}${creator_removed ? ' (removed)' : ''}`,
  },
  { header: 'Last used', cell: ({ last_used_at }) => (last_used_at ? <Time value={last_used_at} /> : 'Never') },
  { header: 'Created', cell: ({ created_at }) => <Time value={created_at} /> },
]

/** The list of service principals, with deletion of several. */
export function ServicePrincipalTable({
  page,
  isFiltered,
  onCreate,
}: {
  page: ComponentProps<typeof BulkTable<Row>>['page']
  isFiltered: boolean
  onCreate: () => void
}) {
  const { api, workspaceId } = useWorkspace()
  const canChange = useCan()('auth:admin')
  const nameOf = usePrincipalNames(page.data?.items.map(({ created_by }) => created_by) ?? [])
  const action = canChange
    ? {
        verb: 'Delete',
        past: 'Deleted',
        noun: 'service principal',
        consequences: 'Their secrets and access tokens stop working within a second. This cannot be undone.',
        describe: (row: Row) => <LastUse name={row.name} at={row.last_used_at} />,
        call: (clientId: string) => api.auth.deleteServicePrincipal({ params: { client_id: clientId } }),
        queryKey: [workspaceId, 'service-principals'],
      }
    : undefined
  return (
    <BulkTable
      columns={columnsFor(nameOf, page.data?.items.some(({ environment }) => environment !== null) === true)}
      page={page}
      noun="service principals"
      rowKey={({ client_id }) => client_id}
      rowName={({ name }) => name}
      rowLink={({ client_id }) => ({
        to: '/$workspaceId/developer/service-principals/$clientId',
        params: { clientId: client_id },
      })}
      action={action}
      empty={<EmptyList isFiltered={isFiltered} onCreate={onCreate} />}
    />
  )
}

function EmptyList({ isFiltered, onCreate }: { isFiltered: boolean; onCreate: () => void }) {
  const workspaceId = useWorkspaceId()
  const baseUrl = useBaseUrl()
  if (isFiltered) return <EmptyState icon="key" title="No service principal matches the search" />
  return (
    <EmptyState
      icon="key"
      title="No service principals yet"
      actions={
        <Button variant="primary" onClick={onCreate}>
          Create service principal
        </Button>
      }
      snippet={
        <Snippets label="Exchange a secret for a token" snippets={principalSnippets({ baseUrl, workspaceId })} />
      }
    >
      A service principal is the identity of a program: it has its own scopes, and its secret can be rotated without
      downtime.
    </EmptyState>
  )
}
