import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Invitation } from '@wp/contracts'
import type { z } from 'zod'
import { sessionQuery } from '../../session/session.ts'
import { useApi } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Time } from '../../ui/data/time.tsx'
import { showError, showSuccess } from '../../ui/message/toast.ts'
import { Card, Cluster } from '../../ui/page/page.tsx'
import { type Column, DataTable } from '../../ui/table/data-table.tsx'

type Row = z.infer<typeof Invitation>

/** The invitations of the signed-in user to other workspaces; nothing if there are none. */
export function OwnInvitations() {
  const api = useApi()
  const queryClient = useQueryClient()
  const { data } = useQuery({
    queryKey: ['invitations'],
    queryFn: ({ signal }) => api.auth.listInvitations({}, { signal }),
  })
  if (data === undefined || data.items.length === 0) return null
  const refresh = async () => {
    await queryClient.invalidateQueries({ queryKey: ['invitations'] })
    await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }
  const accept = async ({ id, workspace_name }: Row) => {
    await api.auth.acceptInvitationById({ params: { id } })
    await refresh()
    showSuccess(`You joined ${workspace_name}`)
  }
  const decline = async ({ id, workspace_name }: Row) => {
    await api.auth.declineInvitation({ params: { id } })
    await refresh()
    showSuccess(`Declined the invitation to ${workspace_name}`)
  }
  const columns: Column<Row>[] = [
    { header: 'Workspace', cell: ({ workspace_name }) => workspace_name },
    { header: 'Role', cell: ({ role }) => role },
    { header: 'Expires', cell: ({ expires_at }) => <Time value={expires_at} /> },
    {
      header: '',
      isNarrow: true,
      cell: (row) => (
        <Cluster>
          <Button size="small" variant="primary" onClick={() => void accept(row).catch(showError)}>
            Accept
          </Button>
          <Button size="small" onClick={() => void decline(row).catch(showError)}>
            Decline
          </Button>
        </Cluster>
      ),
    },
  ]
  return (
    <Card title="Your invitations" isFlush>
      <DataTable label="Your invitations" columns={columns} rows={data.items} rowKey={({ id }) => id} empty={null} />
    </Card>
  )
}
