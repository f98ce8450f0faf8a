import type { ApiKey } from '@wp/contracts'
import type { ComponentProps } from 'react'
import type { z } from 'zod'
import { nameOfKey } from '../../names/name-readers.ts'
import { usePrincipalNames } from '../../names/resource-names.ts'
import { useBaseUrl, useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { isolate } from '../../ui/format/untrusted-text.ts'
import { EmptyState } from '../../ui/message/message.tsx'
import { BulkTable } from '../../ui/table/bulk-table.tsx'
import type { Column } from '../../ui/table/data-table.tsx'
import { Snippets } from '../../ui/values/code-block.tsx'
import { StatusBadge, Time } from '../../ui/values/values.tsx'
import { LastUse } from '../shared/secret-dialogs.tsx'
import { apiKeySnippets } from '../shared/snippets.ts'

type Row = z.infer<typeof ApiKey>

const columnsFor = (nameOf: (id: string) => string): readonly Column<Row>[] => [
  { header: 'Name', cell: nameOfKey, sortBy: nameOfKey },
  { header: 'Key', cell: ({ last4 }) => <code className="nowrap">…{last4}</code> },
  { header: 'Status', cell: ({ expires_at }) => <StatusBadge status={apiKeyStatus(expires_at, Date.now())} /> },
  {
    header: 'Created by',
    cell: ({ created_by, creator_removed }) => `${isolate(nameOf(created_by))}${creator_removed ? ' (removed)' : ''}`,
  },
  {
    header: 'Last used',
    cell: ({ last_used_at }) => (last_used_at ? <Time value={last_used_at} /> : 'Never'),
    sortBy: ({ last_used_at }) => last_used_at,
  },
  {
    header: 'Expires',
    cell: ({ expires_at }) => (expires_at ? <Time value={expires_at} /> : 'Never'),
    sortBy: ({ expires_at }) => expires_at,
  },
  { header: 'Created', cell: ({ created_at }) => <Time value={created_at} />, sortBy: ({ created_at }) => created_at },
]

/** The list of API keys, with revocation of several. */
export function ApiKeyTable({
  page,
  isFiltered,
  onCreate,
}: {
  page: ComponentProps<typeof BulkTable<Row>>['page']
  isFiltered: boolean
  onCreate?: () => void
}) {
  const { api, workspaceId } = useWorkspace()
  const canChange = useCan()('auth:keys')
  const nameOf = usePrincipalNames(page.data?.items.map(({ created_by }) => created_by) ?? [])
  const action = canChange
    ? {
        verb: 'Revoke',
        past: 'Revoked',
        noun: 'API key',
        consequences: 'Requests with these keys are refused within a second. This cannot be undone.',
        describe: (row: Row) => <LastUse name={nameOfKey(row)} at={row.last_used_at} />,
        call: (keyId: string) => api.auth.deleteApiKey({ params: { key_id: keyId } }),
        queryKey: [workspaceId, 'api-keys'],
      }
    : undefined
  return (
    <BulkTable
      columns={columnsFor(nameOf)}
      page={page}
      noun="API keys"
      rowKey={({ key_id }) => key_id}
      rowName={nameOfKey}
      rowLink={({ key_id }) => ({
        to: '/$workspaceId/developer/keys/$keyId',
        params: { keyId: key_id },
      })}
      action={action}
      empty={<EmptyList isFiltered={isFiltered} {...(onCreate && { onCreate })} />}
    />
  )
}

function EmptyList({ isFiltered, onCreate }: { isFiltered: boolean; onCreate?: () => void }) {
  const baseUrl = useBaseUrl()
  if (isFiltered) return <EmptyState icon="key" title="No API key matches the search" />
  return (
    <EmptyState
      icon="key"
      title="No API keys yet"
      actions={
        onCreate && (
          <Button variant="primary" onClick={onCreate}>
            Create API key
          </Button>
        )
      }
      snippet={<Snippets label="Call the API with a key" snippets={apiKeySnippets(baseUrl)} />}
    >
      An API key belongs to this workspace. It is the simplest way to call the API from a script.
    </EmptyState>
  )
}

/** Returns the status of a key, which expires by itself. */
export const apiKeyStatus = (expiresAt: string | null, now: number): 'active' | 'expired' =>
  expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'active'
