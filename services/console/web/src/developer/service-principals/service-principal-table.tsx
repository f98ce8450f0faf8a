import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import type { ServicePrincipal } from '@wp/contracts'
import { useState } from 'react'
import type { z } from 'zod'
import { useApi, useBaseUrl, useCan, usePrincipalNames, useWorkspaceId } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { formatCount } from '../../ui/format/format.ts'
import { isolate } from '../../ui/format/untrusted-text.ts'
import { EmptyState } from '../../ui/message/message.tsx'
import { showSuccess } from '../../ui/message/toast.ts'
import { Stack } from '../../ui/page/page.tsx'
import { type Column, DataTable } from '../../ui/table/data-table.tsx'
import { Pager } from '../../ui/table/pager.tsx'
import { runBulk } from '../../ui/table/row-selection.tsx'
import { StatusBadge } from '../../ui/values/badge.tsx'
import { Snippets } from '../../ui/values/code-block.tsx'
import { Time } from '../../ui/values/time.tsx'
import { Id } from '../../ui/values/values.tsx'
import { principalSnippets } from '../shared/snippets.ts'

type Row = z.infer<typeof ServicePrincipal>

const columnsFor = (nameOf: (id: string) => string): readonly Column<Row>[] => [
  { header: 'Name', cell: ({ name }) => name },
  { header: 'Client id', cell: ({ client_id }) => <Id value={client_id} label="Copy client id" isCompact /> },
  { header: 'Environment', cell: ({ environment }) => environment ?? '–' },
  { header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    header: 'Created by',
    cell: ({ created_by, creator_removed }) => `${isolate(nameOf(created_by))}${creator_removed ? ' (removed)' : ''}`,
  },
  { header: 'Last used', cell: ({ last_used_at }) => (last_used_at ? <Time value={last_used_at} /> : 'Never') },
  { header: 'Rotated', cell: ({ secret_rotated_at }) => <Time value={secret_rotated_at} /> },
  { header: 'Created', cell: ({ created_at }) => <Time value={created_at} /> },
]

/** The list of service principals, with deletion of several. */
export function ServicePrincipalTable({
  page,
  cursor,
  isFiltered,
  onCreate,
}: {
  page: UseQueryResult<{ items: Row[]; nextCursor: string | null }>
  cursor: string | undefined
  isFiltered: boolean
  onCreate: () => void
}) {
  const api = useApi()
  const workspaceId = useWorkspaceId()
  const canChange = useCan()('auth:admin')
  const queryClient = useQueryClient()
  const nameOf = usePrincipalNames()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [isConfirming, setConfirming] = useState(false)
  const count = formatCount(selected.size, 'service principal')
  const deleteSelected = async () => {
    const result = await runBulk(selected, (clientId) =>
      api.auth.deleteServicePrincipal({ params: { client_id: clientId } }),
    )
    setSelected(new Set(result.failed))
    await queryClient.invalidateQueries({ queryKey: [workspaceId, 'service-principals'] })
    if (result.done.length > 0) showSuccess(`Deleted ${formatCount(result.done.length, 'service principal')}`)
    if (result.failed.length > 0) throw result.error
  }
  const rows = page.data?.items
  return (
    <>
      <DataTable
        label="Service principals"
        columns={columnsFor(nameOf)}
        rows={rows}
        rowKey={({ client_id }) => client_id}
        rowName={({ name }) => name}
        rowLink={({ client_id }) => ({
          to: '/$workspaceId/developer/service-principals/$clientId',
          params: { workspaceId, clientId: client_id },
        })}
        {...(canChange && {
          selection: {
            keys: selected,
            onChange: setSelected,
            noun: 'service principal',
            actions: (
              <Button size="small" variant="danger" onClick={() => setConfirming(true)}>
                Delete {count}
              </Button>
            ),
          },
        })}
        error={page.error}
        onRetry={() => void page.refetch()}
        empty={<EmptyList isFiltered={isFiltered} onCreate={onCreate} />}
        footer={
          page.data && (
            <Pager
              cursor={cursor}
              nextCursor={page.data.nextCursor}
              shown={page.data.items.length}
              noun="service principals"
            />
          )
        }
      />
      <ConfirmDialog
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        title={`Delete ${count}`}
        confirmLabel={`Delete ${count}`}
        onConfirm={deleteSelected}
      >
        <Stack>
          <p>Their secrets and access tokens stop working within a second. This cannot be undone.</p>
          <ul>
            {rows
              ?.filter(({ client_id }) => selected.has(client_id))
              .map((row) => (
                <li key={row.client_id}>
                  <strong>{isolate(row.name)}</strong>, last used{' '}
                  {row.last_used_at ? <Time value={row.last_used_at} /> : 'never'}
                </li>
              ))}
          </ul>
        </Stack>
      </ConfirmDialog>
    </>
  )
}

function EmptyList({ isFiltered, onCreate }: { isFiltered: boolean; onCreate: () => void }) {
  const workspaceId = useWorkspaceId()
  const baseUrl = useBaseUrl()
  if (isFiltered) return <EmptyState icon="key" title="No service principal matches the filters" />
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
