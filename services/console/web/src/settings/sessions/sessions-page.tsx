import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Session } from '@wp/contracts'
import { useState } from 'react'
import type { z } from 'zod'
import { readAll } from '../../api/read-all.ts'
import { useApi } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { formatCount } from '../../ui/format/format.ts'
import { showSuccess } from '../../ui/message/toast.ts'
import { Card, Cluster, Page } from '../../ui/page/page.tsx'
import { type Column, DataTable } from '../../ui/table/data-table.tsx'
import { runBulk } from '../../ui/table/row-selection.tsx'
import { Badge, Time } from '../../ui/values/values.tsx'
import { PasskeyOnlyCard, usePasskeySettings } from './passkey-only-card.tsx'
import { PasskeysCard, usePasskeys } from './passkeys-card.tsx'

type Row = z.infer<typeof Session>

const methodNames: Readonly<Record<string, string>> = {
  mail: 'Mail',
  passkey: 'Passkey',
  google: 'Google',
  github: 'GitHub',
  sso: 'Company',
}

/** The passkeys and sessions of the signed-in user. */
export function SessionsPage() {
  const api = useApi()
  const queryClient = useQueryClient()
  const [ending, setEnding] = useState<readonly Row[]>([])
  const { data, error, refetch } = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => readAll((query) => api.auth.listSessions({ query }, { signal }), Number.POSITIVE_INFINITY),
  })
  const [passkeys, settings] = [usePasskeys(), usePasskeySettings()]
  const isKnown = !passkeys.isLoading && !settings.isLoading
  const others = data?.filter(({ current }) => !current) ?? []
  const end = async () => {
    const result = await runBulk(
      ending.map(({ id }) => id),
      (id) => api.auth.endSession({ params: { id: id as Row['id'] } }), // ids of the rows
    )
    await queryClient.invalidateQueries({ queryKey: ['sessions'] })
    if (result.done.length > 0) showSuccess(`Ended ${formatCount(result.done.length, 'session')}`)
    if (result.failed.length > 0) throw result.error
  }
  const columns: Column<Row>[] = [
    {
      header: 'Device',
      cell: ({ user_agent, device, client_name, current }) => (
        <Cluster>
          <strong title={user_agent ?? undefined}>{client_name ?? device}</strong>
          {current && <Badge tone="success">this session</Badge>}
        </Cluster>
      ),
    },
    {
      header: 'Sign-in',
      cell: ({ method }) => <span style={{ whiteSpace: 'nowrap' }}>{methodNames[method] ?? method}</span>,
    },
    { header: 'Address', cell: ({ ip }) => (ip === null ? '–' : <code>{ip}</code>) },
    { header: 'Last used', cell: ({ last_used_at }) => <Time value={last_used_at} /> },
    { header: 'Began', cell: ({ created_at }) => <Time value={created_at} /> },
    {
      header: '',
      isNarrow: true,
      cell: (row) =>
        !row.current && (
          <Button size="small" onClick={() => setEnding([row])}>
            End
          </Button>
        ),
    },
  ]
  return (
    <Page title="Sign-in and sessions" isNarrow>
      <PasskeysCard />
      {/* The height of the cards above is not known before, and the next ones would move. */}
      {isKnown && <PasskeyOnlyCard />}
      {isKnown && (
        <Card
          title="Sessions"
          description="Browsers and applications in which you are signed in. End those that you do not know."
          isFlush
        >
          <DataTable
            label="Sessions"
            columns={columns}
            rows={data?.toSorted((one, other) => Number(other.current) - Number(one.current))}
            rowKey={({ id }) => id}
            error={error}
            onRetry={() => void refetch()}
            empty={null}
          />
          {others.length > 0 && (
            <div style={{ padding: 'var(--space-3) var(--space-4)' }}>
              <Button onClick={() => setEnding(others)}>End {formatCount(others.length, 'other session')}</Button>
            </div>
          )}
        </Card>
      )}
      <ConfirmDialog
        isOpen={ending.length > 0}
        onClose={() => setEnding([])}
        title={`End ${formatCount(ending.length, 'session')}`}
        confirmLabel={`End ${formatCount(ending.length, 'session')}`}
        onConfirm={end}
      >
        Tokens of an ended session stop working within a second. Its user has to sign in again.
      </ConfirmDialog>
    </Page>
  )
}
