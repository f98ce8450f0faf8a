import { useQueryClient } from '@tanstack/react-query'
import { readAll } from '../api/read-all.ts'
import { useApiQuery, useWorkspace } from '../session/workspace-context.tsx'
import { ActionMenu } from '../ui/menu/menu.tsx'
import { showError, showSuccess } from '../ui/message/toast.ts'
import { Card } from '../ui/page/page.tsx'
import { type Column, DataTable } from '../ui/table/data-table.tsx'
import { Time } from '../ui/values/values.tsx'
import type { Member } from './queries.ts'

/** The invitations that were not accepted yet; nothing if there are none. */
export function PendingInvitations({
  onChangeRole,
  onRemove,
}: {
  onChangeRole?: (user: Member) => void
  onRemove?: (user: Member) => void
}) {
  const { api, workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const { data } = useApiQuery(['members', 'invited'], (api, options) =>
    readAll((query) => api.auth.listUsers({ query: { ...query, status: 'invited' } }, options)),
  )
  if (data === undefined || data.length === 0) return null
  const resend = async ({ email, role }: Member) => {
    await api.auth.inviteUser({ body: { email, role } })
    await queryClient.invalidateQueries({ queryKey: [workspaceId, 'members'] })
    showSuccess(`Sent another mail to ${email}`)
  }
  const columns: Column<Member>[] = [
    { header: 'Email', cell: ({ email }) => email },
    { header: 'Role', cell: ({ role }) => role },
    { header: 'Invited', cell: ({ created_at }) => <Time value={created_at} /> },
    { header: 'Expires', cell: ({ invitation }) => <Time value={invitation?.expires_at} /> },
  ]
  if (onChangeRole && onRemove)
    columns.push({
      header: '',
      isNarrow: true,
      cell: (user) => (
        <ActionMenu
          label={`Actions of ${user.email}`}
          entries={[
            { label: 'Send again', icon: 'refresh', onSelect: () => void resend(user).catch(showError) },
            { label: 'Change role', icon: 'pencil', onSelect: () => onChangeRole(user) },
            'separator',
            { label: 'Withdraw', icon: 'trash', isDangerous: true, onSelect: () => onRemove(user) },
          ]}
        />
      ),
    })
  return (
    <Card title="Pending invitations" isFlush>
      <DataTable
        label="Pending invitations"
        columns={columns}
        rows={data}
        rowKey={({ user_id }) => user_id}
        empty={null}
      />
    </Card>
  )
}
