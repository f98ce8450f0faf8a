import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { formatCount } from '../../ui/format/format.ts'
import { Callout, ErrorMessage } from '../../ui/message/message.tsx'
import { showError } from '../../ui/message/toast.ts'
import { Card, Cluster, Stack } from '../../ui/page/page.tsx'
import { Progress } from '../../ui/values/progress.tsx'
import { StatusBadge, Time } from '../../ui/values/values.tsx'

const pollMs = 1_000

const isRunning = (status: string | undefined): boolean => status === 'queued' || status === 'running'

/** A replay and its progress, with its cancellation. */
export function ReplayProgress({ replayId, onClose }: { replayId: string; onClose: () => void }) {
  const { api, workspaceId } = useWorkspace()
  const canCancel = useCan()('webhooks:write')
  const queryClient = useQueryClient()
  const params = { id: replayId }
  const key = [workspaceId, 'webhook-replays', replayId]
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.webhooks.getReplay({ params }, { signal }),
    refetchInterval: ({ state }) => (isRunning(state.data?.status) ? pollMs : false),
  })
  const status = data?.status
  useEffect(() => {
    if (status !== undefined && !isRunning(status))
      void queryClient.invalidateQueries({ queryKey: [workspaceId, 'webhooks'] })
  }, [status, queryClient, workspaceId])
  const cancel = () =>
    api.webhooks
      .cancelReplay({ params })
      .then((cancelled) => queryClient.setQueryData(key, cancelled))
      .catch(showError)
  return (
    <Card
      title="Replay"
      actions={
        isRunning(status) ? (
          <Button size="small" disabled={!canCancel} onClick={cancel}>
            Cancel replay
          </Button>
        ) : (
          <Button size="small" variant="quiet" onClick={onClose}>
            Close
          </Button>
        )
      }
    >
      {error && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data && (
        <Stack>
          <div role="status">
            <Cluster>
              <StatusBadge status={data.status} />
              <span>
                {formatCount(data.counts.enqueued, 'delivery', 'deliveries')} queued again of those created from{' '}
                <Time value={data.since} format="absolute" /> to <Time value={data.until} format="absolute" />
              </span>
            </Cluster>
          </div>
          <Progress label="Share of the time range" value={data.progress} />
          {data.status === 'cancelled' && <p>Deliveries that were queued before the cancellation are sent.</p>}
          {data.error && <Callout tone="danger">{data.error.message}</Callout>}
        </Stack>
      )}
    </Card>
  )
}
