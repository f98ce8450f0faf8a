import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { changeSearch } from '../../api/search-params.ts'
import { useWorkspaceId } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Link } from '../../ui/button/button-link.tsx'
import { Callout, ErrorMessage } from '../../ui/message/message.tsx'
import { Card, Cluster, Page, Stack, UnloadedPage } from '../../ui/page/page.tsx'
import { StatusBadge, Time } from '../../ui/values/values.tsx'
import { AttemptChart } from '../attempts/attempt-chart.tsx'
import { AttemptTimeline, Countdown } from '../attempts/attempt-list.tsx'
import { describeDisabledReason, describeErrorKind, describeStatusCode } from '../attempts/delivery-status.ts'
import { useDelivery } from '../attempts/use-delivery.ts'
import { DeliveryDrawer } from '../deliveries/delivery-drawer.tsx'
import { WebhookDeliveries } from '../deliveries/webhook-deliveries.tsx'
import { ReceiverCard } from '../receivers/receiver-card.tsx'
import { useArrivals } from '../receivers/use-arrivals.ts'
import { useSubscription } from '../shared/queries.ts'
import { destinationOf, nameOfSubscription, type SubscriptionView } from '../shared/subscription-name.ts'
import { followMs, stateOf } from '../shared/subscription-state.ts'
import { ReplayProgress } from './replay-progress.tsx'
import { SubscriptionDetails, SubscriptionStats } from './subscription-details.tsx'
import { WebhookActions } from './webhook-actions.tsx'

const route = getRouteApi('/$workspaceId/webhooks/$webhookId')

/** One subscription: its state, its attempts over time, its deliveries, and what can be done with it. */
export function WebhookPage() {
  const { webhookId } = route.useParams()
  const search = route.useSearch()
  const { replay, test, range, look } = search
  const navigate = route.useNavigate()
  const workspaceId = useWorkspaceId()
  const { data, error, refetch } = useSubscription(webhookId)
  const [previousExpiresAt, setPreviousExpiresAt] = useState<string | null>()
  const change = (part: { [Name in keyof typeof search]?: (typeof search)[Name] | undefined }) =>
    void navigate({ search: changeSearch(search, part), replace: true, resetScroll: false })
  const parent = { label: 'Webhooks', link: { to: '/$workspaceId/webhooks' } } as const
  const arrivals = useArrivals(data?.endpoint)
  const lookAt = (id: string) =>
    ({
      to: '/$workspaceId/webhooks/$webhookId',
      params: { workspaceId, webhookId },
      search: { ...search, look: id },
      resetScroll: false,
    }) as const
  if (data === undefined || arrivals.isLoading)
    return <UnloadedPage title="Webhook" parent={parent} error={error} refetch={refetch} height="24rem" />
  return (
    <Page
      title={nameOfSubscription(data)}
      status={<StatusBadge status={stateOf(data)} />}
      description={
        data.delivery === 'poll' || arrivals.isReceiver ? destinationOf(data) : <code>{destinationOf(data)}</code>
      }
      parent={parent}
      actions={
        <WebhookActions
          subscription={data}
          onTested={(requestId) => change({ test: requestId })}
          onReplayed={(replayId) => change({ replay: replayId })}
          onRotated={setPreviousExpiresAt}
        />
      }
    >
      <SubscriptionNotices subscription={data} previousExpiresAt={previousExpiresAt} />
      {test !== undefined && <TestProgress requestId={test} onClose={() => change({ test: undefined })} />}
      {replay !== undefined && <ReplayProgress replayId={replay} onClose={() => change({ replay: undefined })} />}
      {arrivals.isReceiver && (
        <ReceiverCard arrivals={arrivals} looked={look} linkOf={lookAt} onClose={() => change({ look: undefined })} />
      )}
      <SubscriptionStats subscription={data} />
      <AttemptChart
        webhookId={webhookId}
        pollMs={followMs(data)}
        range={range ?? '24h'}
        onRange={(next) => change({ range: next === '24h' ? undefined : next })}
      />
      <WebhookDeliveries subscription={data} linkOf={lookAt} />
      <SubscriptionDetails subscription={data} />
      {look?.startsWith('dlv_') && <DeliveryDrawer requestId={look} onClose={() => change({ look: undefined })} />}
    </Page>
  )
}

/** Shows the warnings of a subscription. */
function SubscriptionNotices({
  subscription,
  previousExpiresAt,
}: {
  subscription: SubscriptionView
  /** Of a rotation on this page; null if the previous secret has ended. */
  previousExpiresAt: string | null | undefined
}) {
  const { status, disabled_reason, disabled_at, warnings } = subscription
  return (
    <>
      {status === 'disabled' && (
        <Callout tone="danger" title="This subscription is disabled">
          {describeDisabledReason(disabled_reason)} Since <Time value={disabled_at} format="absolute" />, matching
          events are recorded as skipped. Enable it, then replay them: nothing is lost.
        </Callout>
      )}
      {warnings.length > 0 && (
        <Callout tone="warning" title="Check this">
          {warnings.map((warning) => (
            <p key={warning}>{warning}</p>
          ))}
        </Callout>
      )}
      {previousExpiresAt !== undefined && previousExpiresAt !== null && (
        <Callout>
          Until <Time value={previousExpiresAt} format="absolute" /> deliveries are signed with both secrets; the
          previous one makes x-webhook-signature-previous.
        </Callout>
      )}
      {previousExpiresAt === null && <Callout>Deliveries are signed with the new secret only.</Callout>}
    </>
  )
}

/** A test delivery, followed until it has ended. */
function TestProgress({ requestId, onClose }: { requestId: string; onClose: () => void }) {
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
        <Link to="/$workspaceId/webhooks/deliveries/$requestId" params={{ requestId }}>
          Request, response and every attempt
        </Link>
      </Stack>
    </Card>
  )
}
