import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useApi, useWorkspaceId } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Progress } from '../../ui/data/progress.tsx'
import { ErrorMessage } from '../../ui/message/error-message.tsx'
import { Card, Stack } from '../../ui/page/page.tsx'
import { describeCounts } from '../shared/describe-counts.ts'
import { type Sync, sourceKey } from '../shared/queries.ts'

/** A running sync with its progress, and a button that cancels it. */
export function SyncProgress({ sync, canWrite }: { sync: Sync; canWrite: boolean }) {
  const api = useApi()
  const workspaceId = useWorkspaceId()
  const client = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => api.data.cancelSync({ params: { id: sync.id } }),
    onSettled: () => client.invalidateQueries({ queryKey: sourceKey(workspaceId, sync.data_source_id) }),
  })
  return (
    <Card
      title={sync.status === 'queued' ? 'Sync queued' : 'Sync running'}
      actions={
        canWrite && (
          <Button size="small" isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel sync
          </Button>
        )
      }
    >
      <Stack>
        <Progress
          value={sync.progress}
          label={sync.status === 'queued' ? 'Waiting for its turn' : describeCounts(sync.counts)}
        />
        {cancel.error && <ErrorMessage error={cancel.error} />}
      </Stack>
    </Card>
  )
}
