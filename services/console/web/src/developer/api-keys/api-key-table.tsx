import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import type { ApiKey } from '@wp/contracts'
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
import { apiKeySnippets } from '../shared/snippets.ts'
import styles from './api-key-table.module.css'

type Row = z.infer<typeof ApiKey>

/** Returns what to call a key: its name, or the end of its secret. */
export const nameOfKey = ({ name, last4 }: Pick<Row, 'name' | 'last4'>): string => name ?? `Unnamed key …${last4}`

const columnsFor = (nameOf: (id: string) => string): readonly Column<Row>[] => [
  { header: 'Name', cell: nameOfKey },
  { header: 'Key', cell: ({ last4 }) => <code className={styles.key}>…{last4}</code> },
  { header: 'Status', cell: ({ expires_at }) => <StatusBadge status={apiKeyStatus(expires_at, Date.now())} /> },
  {
    header: 'Created by',
    cell: ({ created_by, creator_removed }) => `${isolate(nameOf(created_by))}${creator_removed ? ' (removed)' : ''}`,
  },
  { header: 'Last used', cell: ({ last_used_at }) => (last_used_at ? <Time value={last_used_at} /> : 'Never') },
  { header: 'Expires', cell: ({ expires_at }) => (expires_at ? <Time value={expires_at} /> : 'Never') },
  { header: 'Rotated', cell: ({ rotated_at }) => <Time value={rotated_at} /> },
  { header: 'Created', cell: ({ created_at }) => <Time value={created_at} /> },
]

/** The list of API keys, with revocation of several. */
export function ApiKeyTable({
  page,
  cursor,
  onCreate,
}: {
  page: UseQueryResult<{ items: Row[]; nextCursor: string | null }>
  cursor: string | undefined
  onCreate?: () => void
}) {
  const api = useApi()
  const workspaceId = useWorkspaceId()
  const canChange = useCan()('auth:keys')
  const queryClient = useQueryClient()
  const nameOf = usePrincipalNames()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [isConfirming, setConfirming] = useState(false)
  const count = formatCount(selected.size, 'API key')
  const revokeSelected = async () => {
    const result = await runBulk(selected, (keyId) => api.auth.deleteApiKey({ params: { key_id: keyId } }))
    setSelected(new Set(result.failed))
    await queryClient.invalidateQueries({ queryKey: [workspaceId, 'api-keys'] })
    if (result.done.length > 0) showSuccess(`Revoked ${formatCount(result.done.length, 'API key')}`)
    if (result.failed.length > 0) throw result.error
  }
  const rows = page.data?.items
  return (
    <>
      <DataTable
        label="API keys"
        columns={columnsFor(nameOf)}
        rows={rows}
        rowKey={({ key_id }) => key_id}
        rowName={nameOfKey}
        rowLink={({ key_id }) => ({
          to: '/$workspaceId/developer/keys/$keyId',
          params: { workspaceId, keyId: key_id },
        })}
        {...(canChange && {
          selection: {
            keys: selected,
            onChange: setSelected,
            noun: 'API key',
            actions: (
              <Button size="small" variant="danger" onClick={() => setConfirming(true)}>
                Revoke {count}
              </Button>
            ),
          },
        })}
        error={page.error}
        onRetry={() => void page.refetch()}
        empty={<EmptyList {...(onCreate && { onCreate })} />}
        footer={
          page.data && (
            <Pager cursor={cursor} nextCursor={page.data.nextCursor} shown={page.data.items.length} noun="API keys" />
          )
        }
      />
      <ConfirmDialog
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        title={`Revoke ${count}`}
        confirmLabel={`Revoke ${count}`}
        onConfirm={revokeSelected}
      >
        <Stack>
          <p>Requests with these keys are refused within a second. This cannot be undone.</p>
          <ul>
            {rows
              ?.filter(({ key_id }) => selected.has(key_id))
              .map((row) => (
                <li key={row.key_id}>
                  <strong>{isolate(nameOfKey(row))}</strong>, last used{' '}
                  {row.last_used_at ? <Time value={row.last_used_at} /> : 'never'}
                </li>
              ))}
          </ul>
        </Stack>
      </ConfirmDialog>
    </>
  )
}

function EmptyList({ onCreate }: { onCreate?: () => void }) {
  const baseUrl = useBaseUrl()
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
