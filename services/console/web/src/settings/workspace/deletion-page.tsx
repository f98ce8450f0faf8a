import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { WorkspaceDeletion } from '@wp/contracts'
import { useState } from 'react'
import type { z } from 'zod'
import { createApiClient } from '../../api/api-client.ts'
import { isNotFound } from '../../api/describe-error.ts'
import { useWorkspaceId } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { formatCount } from '../../ui/format/format.ts'
import { Callout, ErrorMessage, Skeleton } from '../../ui/message/message.tsx'
import { Card, Page } from '../../ui/page/page.tsx'
import { type Column, DataTable } from '../../ui/table/data-table.tsx'
import { Progress } from '../../ui/values/progress.tsx'
import { DefinitionList, Id, StatusBadge, Time } from '../../ui/values/values.tsx'

const pollMs = 2000

/** The deletion of the workspace: grace period with cancellation, progress, receipt. */
export function DeletionPage() {
  const workspaceId = useWorkspaceId()
  const queryClient = useQueryClient()
  const [isCancelling, setCancelling] = useState(false)
  // The credentials of the workspace are refused, so the calls name no workspace.
  const api = createApiClient(undefined)
  const params = { workspace_id: workspaceId as `ws_${string}` } // the API answers 404 for other texts
  const { data, error, refetch } = useQuery({
    queryKey: [workspaceId, 'deletion'],
    queryFn: ({ signal }) => api.system.getWorkspaceDeletion({ params }, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.status === 'scheduled' || state.data?.status === 'running' ? pollMs : false,
  })
  if (data === undefined)
    return (
      <Page title="Deletion of the workspace" isNarrow>
        {isNotFound(error) ? (
          <Callout title="You have not requested a deletion of this workspace">
            Only the owner who requested it can follow it.
          </Callout>
        ) : error ? (
          <ErrorMessage error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton height="16rem" />
        )}
      </Page>
    )
  const cancel = async () => {
    const cancelled = await api.system.cancelWorkspaceDeletion({ params })
    queryClient.setQueryData([workspaceId, 'deletion'], cancelled)
    await queryClient.invalidateQueries()
  }
  return (
    <Page
      title="Deletion of the workspace"
      status={<StatusBadge status={data.status} />}
      isNarrow
      actions={data.status === 'scheduled' && <Button onClick={() => setCancelling(true)}>Cancel deletion</Button>}
    >
      <div role="status">
        <DeletionState status={data.status} startsAt={data.starts_at} />
      </div>
      <Card title="Progress">
        <Progress value={data.progress} label="Deleted services" />
      </Card>
      <Card title="Services" isFlush>
        <ServiceDeletions services={data.services} />
      </Card>
      <Card title="Receipt">
        <DefinitionList
          items={[
            ['Deletion', <Id key="id" value={data.id} />],
            ['Requested', <Time key="created" value={data.created_at} format="absolute" />],
            ['Grace period ends', <Time key="starts" value={data.starts_at} format="absolute" />],
            ['Finished', <Time key="finished" value={data.finished_at} format="absolute" />],
            [
              'Hash',
              data.receipt_hash === null ? (
                'When the deletion has finished'
              ) : (
                <Id key="hash" value={data.receipt_hash} label="Copy hash" />
              ),
            ],
          ]}
        />
      </Card>
      <ConfirmDialog
        isOpen={isCancelling}
        onClose={() => setCancelling(false)}
        title="Cancel the deletion"
        confirmLabel="Keep the workspace"
        onConfirm={cancel}
      >
        The workspace stays as it is. Its members, keys and tokens work again.
      </ConfirmDialog>
    </Page>
  )
}

function DeletionState({ status, startsAt }: { status: string; startsAt: string }) {
  if (status === 'scheduled')
    return (
      <Callout tone="warning" title="The workspace will be deleted">
        The deletion begins <Time value={startsAt} />. Until then it can be cancelled on this page. Keep its address:
        the workspace is no longer in your list.
      </Callout>
    )
  if (status === 'running') return <Callout tone="warning" title="The workspace is being deleted" />
  if (status === 'cancelled')
    return (
      <Callout tone="success" title="The deletion was cancelled">
        The workspace and its credentials work as before.
      </Callout>
    )
  return (
    <Callout tone="success" title="The workspace was deleted">
      The receipt states what each service has deleted.
    </Callout>
  )
}

type ServiceDeletion = z.infer<typeof WorkspaceDeletion>['services'][number]

const columns: readonly Column<ServiceDeletion>[] = [
  { header: 'Service', cell: ({ service }) => service },
  { header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    header: 'Deleted',
    align: 'end',
    cell: ({ deleted }) =>
      formatCount(
        Object.values(deleted).reduce((sum, count) => sum + count, 0),
        'row',
      ),
  },
  { header: 'Retained', cell: ({ retained }) => retained.map(({ table }) => table).join(', ') || '–' },
  { header: 'Finished', cell: ({ finished_at }) => <Time value={finished_at} /> },
]

/** Lists the deleted and the kept rows of each service. */
const ServiceDeletions = ({ services }: { services: readonly ServiceDeletion[] }) => (
  <DataTable
    label="Deletion by service"
    columns={columns}
    rows={services}
    rowKey={({ service }) => service}
    empty={<p style={{ padding: 'var(--space-4)' }}>The deletion has not begun.</p>}
  />
)
