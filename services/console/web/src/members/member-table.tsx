import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { sessionQuery } from '../session/session.ts'
import { ActionMenu } from '../ui/menu/menu.tsx'
import { Cluster } from '../ui/page/page.tsx'
import { type Column, DataTable } from '../ui/table/data-table.tsx'
import { Badge, Time } from '../ui/values/values.tsx'
import type { Member } from './queries.ts'

/** The list of members. Actions are offered if the user may change members. */
export function MemberTable({
  label,
  onChangeRole,
  onRemove,
  ...table
}: {
  label: string
  rows: readonly Member[] | undefined
  error: unknown
  onRetry: () => void
  onChangeRole?: (user: Member) => void
  onRemove?: (user: Member) => void
  empty: ReactNode
  footer?: ReactNode
}) {
  const { data: session } = useQuery(sessionQuery)
  const ownId = session?.authenticated ? session.user.user_id : undefined
  const columns: Column<Member>[] = [
    {
      header: 'Member',
      cell: ({ email, user_id }) => (
        <Cluster>
          <strong>{email}</strong>
          {user_id === ownId && <Badge tone="accent">you</Badge>}
        </Cluster>
      ),
    },
    { header: 'Name', cell: ({ name }) => name ?? '–' },
    { header: 'Role', cell: ({ role }) => role },
    { header: 'Joined', cell: ({ created_at }) => <Time value={created_at} /> },
  ]
  if (onChangeRole && onRemove)
    columns.push({
      header: '',
      isNarrow: true,
      cell: (user) => (
        <ActionMenu
          label={`Actions of ${user.email}`}
          entries={[
            { label: 'Change role', icon: 'pencil', onSelect: () => onChangeRole(user) },
            'separator',
            { label: 'Remove', icon: 'trash', isDangerous: true, onSelect: () => onRemove(user) },
          ]}
        />
      ),
    })
  return <DataTable label={label} columns={columns} rowKey={({ user_id }) => user_id} {...table} />
}
