import { Link } from '@tanstack/react-router'
import { useWorkspaceId } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { StatusBadge } from '../../ui/data/badge.tsx'
import { ErrorMessage } from '../../ui/message/error-message.tsx'
import { Card, Cluster, Stack } from '../../ui/page/page.tsx'
import { AttemptTimeline } from '../attempts/attempt-timeline.tsx'
import { Countdown } from '../attempts/countdown.tsx'
import { describeErrorKind, describeStatusCode } from '../attempts/delivery-status.ts'
import { useDelivery } from '../attempts/use-delivery.ts'

/** A test delivery, followed until it has ended. */
export function TestProgress({ requestId, onClose }: { requestId: string; onClose: () => void }) {
  const workspaceId = useWorkspaceId()
  const { data, error } = useDelivery(requestId)
  const last = data?.attempts.at(-1)
  const isFailed = last?.outcome === 'failed'
  const problem =
    last?.error_kind != null // null, or undefined without an attempt
      ? describeErrorKind(last.error_kind)
      : last?.status_code != null
        ? `HTTP ${last.status_code}: ${describeStatusCode(last.status_code)}`
        : ''
  return (
    <Card
      title="Test delivery"
      actions={
        <Button size="small" variant="quiet" onClick={onClose}>
          Close
        </Button>
      }
    >
      <Stack>
        {error && <ErrorMessage error={error} />}
        <div role="status">
          <Cluster>
            {data ? <StatusBadge status={data.status} /> : <span>Sending…</span>}
            {data?.status === 'delivered' && <span>The receiver accepted it with HTTP {data.last_status_code}.</span>}
            {isFailed && <span>{problem}.</span>}
            {data?.status === 'pending' && data.next_attempt_at !== null && (
              <span>
                Attempt {data.attempt_count + 1} follows <Countdown until={data.next_attempt_at} />.
              </span>
            )}
          </Cluster>
        </div>
        {last && <AttemptTimeline timings={last.timings} />}
        <Link to="/$workspaceId/webhooks/deliveries/$requestId" params={{ workspaceId, requestId }}>
          Request, response and every attempt
        </Link>
      </Stack>
    </Card>
  )
}
