import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { changeSearch } from '../../api/search-params.ts'
import { useWorkspaceId } from '../../session/workspace-context.tsx'
import { StatusBadge } from '../../ui/data/badge.tsx'
import { ErrorMessage } from '../../ui/message/error-message.tsx'
import { Skeleton } from '../../ui/message/skeleton.tsx'
import { Page } from '../../ui/page/page.tsx'
import { AttemptChart } from '../attempts/attempt-chart.tsx'
import { WebhookDeliveries } from '../deliveries/webhook-deliveries.tsx'
import { destinationOf, nameOfSubscription } from '../shared/subscription-name.ts'
import { useSubscription } from '../shared/use-subscription.ts'
import { ReplayProgress } from './replay-progress.tsx'
import { SubscriptionDetails } from './subscription-details.tsx'
import { SubscriptionNotices } from './subscription-notices.tsx'
import { SubscriptionStats } from './subscription-stats.tsx'
import { TestProgress } from './test-progress.tsx'
import { WebhookActions } from './webhook-actions.tsx'

const route = getRouteApi('/$workspaceId/webhooks/$webhookId')

/** One subscription: its state, its attempts over time, its deliveries, and what can be done with it. */
export function WebhookPage() {
  const { webhookId } = route.useParams()
  const search = route.useSearch()
  const { replay, test, range } = search
  const navigate = route.useNavigate()
  const workspaceId = useWorkspaceId()
  const { data, error, refetch } = useSubscription(webhookId)
  const [previousExpiresAt, setPreviousExpiresAt] = useState<string | null>()
  const change = (part: { [Name in keyof typeof search]?: (typeof search)[Name] | undefined }) =>
    void navigate({ search: changeSearch(search, part), replace: true })
  const parent = { label: 'Webhooks', link: { to: '/$workspaceId/webhooks', params: { workspaceId } } } as const
  if (data === undefined)
    return (
      <Page title="Webhook" parent={parent}>
        {error ? <ErrorMessage error={error} onRetry={() => void refetch()} /> : <Skeleton height="24rem" />}
      </Page>
    )
  return (
    <Page
      title={nameOfSubscription(data)}
      status={<StatusBadge status={data.status} />}
      description={data.delivery === 'poll' ? destinationOf(data) : <code>{destinationOf(data)}</code>}
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
      <SubscriptionStats subscription={data} />
      <AttemptChart
        webhookId={webhookId}
        range={range ?? '24h'}
        onRange={(next) => change({ range: next === '24h' ? undefined : next })}
      />
      <WebhookDeliveries subscription={data} />
      <SubscriptionDetails subscription={data} />
    </Page>
  )
}
