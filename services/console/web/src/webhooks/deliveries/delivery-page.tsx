import { getRouteApi } from '@tanstack/react-router'
import type { DeliveryDetail } from '@wp/contracts'
import { useState } from 'react'
import type { z } from 'zod'
import { usePortal } from '../../session/portal-context.ts'
import { useCan, useWorkspaceId } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Link } from '../../ui/button/button-link.tsx'
import { formatCount } from '../../ui/format/format.ts'
import { Callout } from '../../ui/message/message.tsx'
import { Card, Page, UnloadedPage } from '../../ui/page/page.tsx'
import { DefinitionList, Id, StatusBadge, Time } from '../../ui/values/values.tsx'
import { AttemptList, Countdown } from '../attempts/attempt-list.tsx'
import { isPending } from '../attempts/delivery-status.ts'
import { useDelivery } from '../attempts/use-delivery.ts'
import { useSubscription } from '../shared/queries.ts'
import { destinationOf, nameOfSubscription } from '../shared/subscription-name.ts'
import { DeliveryRequestCard } from './delivery-request-card.tsx'
import { ResendDialog } from './resend-dialog.tsx'

const route = getRouteApi('/$workspaceId/webhooks/deliveries/$requestId')

type Detail = z.infer<typeof DeliveryDetail>

/** One delivery: its attempts as timelines, its request, and what follows. */
export function DeliveryPage() {
  const { requestId } = route.useParams()
  const workspaceId = useWorkspaceId()
  const canResend = useCan()('webhooks:write')
  const { data, error, refetch } = useDelivery(requestId)
  const [isResending, setResending] = useState(false)
  const params = { workspaceId }
  const parent =
    usePortal() === undefined
      ? ({ label: 'Deliveries', link: { to: '/$workspaceId/webhooks/deliveries', params } } as const)
      : ({ label: 'Webhooks', link: { to: '/$workspaceId/webhooks', params } } as const)
  // Its name and state decide how high the parts of the page are.
  const subscription = useSubscription(data?.webhook_id)
  if (data === undefined || subscription.isLoading)
    return <UnloadedPage title="Delivery" parent={parent} error={error} refetch={refetch} height="20rem" />
  const canBeResent = canResend && !isPending(data)
  return (
    <Page
      title={data.event}
      status={
        <span role="status">
          <StatusBadge status={data.status} />
        </span>
      }
      parent={parent}
      actions={
        <Button
          icon="refresh"
          variant="primary"
          disabled={!canBeResent}
          title={canBeResent ? undefined : reasonAgainst(canResend)}
          onClick={() => setResending(true)}
        >
          Resend
        </Button>
      }
    >
      <NextAttempt delivery={data} />
      <DeliverySummary delivery={data} />
      <Card
        title="Attempts"
        description={data.attempts.length === 0 ? undefined : formatCount(data.attempts.length, 'attempt')}
        isFlush={data.attempts.length > 0}
      >
        {data.attempts.length === 0 ? <p>No attempt was made yet.</p> : <AttemptList attempts={data.attempts} />}
      </Card>
      <DeliveryRequestCard delivery={data} />
      {isResending && <ResendDialog deliveries={[data]} onClose={() => setResending(false)} />}
    </Page>
  )
}

const reasonAgainst = (canResend: boolean) =>
  canResend ? 'The delivery is pending: it is sent without a resend' : 'Needs the scope webhooks:write'

/** Shows the next attempt while the delivery is pending. */
function NextAttempt({ delivery }: { delivery: Detail }) {
  const { data: subscription } = useSubscription(delivery.webhook_id)
  if (!isPending(delivery)) return null
  if (subscription?.delivery === 'poll')
    return <Callout title="Waiting for the receiver">The receiver polls this subscription.</Callout>
  if (delivery.next_attempt_at === null) {
    const waits = subscription?.ordering === 'strict' && delivery.attempts.length === 0
    return (
      <Callout title={waits ? 'Waiting for earlier deliveries' : 'An attempt is being made'}>
        {waits && 'The subscription is strict: deliveries are sent one at a time, in the order of the events.'}
      </Callout>
    )
  }
  const heldUntil = subscription?.stats.next_attempt_at
  if (Date.parse(delivery.next_attempt_at) <= Date.now() && heldUntil != null)
    return (
      <Callout title={`Attempt ${delivery.attempt_count + 1} is due`}>
        The endpoint is held because its last attempts failed. It is tried again <Countdown until={heldUntil} />.
      </Callout>
    )
  return (
    <Callout title={`Attempt ${delivery.attempt_count + 1} follows`}>
      <Countdown until={delivery.next_attempt_at} />, at <Time value={delivery.next_attempt_at} format="absolute" />
    </Callout>
  )
}

function DeliverySummary({ delivery }: { delivery: Detail }) {
  const { data: subscription } = useSubscription(delivery.webhook_id)
  return (
    <Card title="Delivery">
      <DefinitionList
        items={[
          ['Request id', <Id key="request" value={delivery.request_id} />],
          ['Event id', <Id key="event" value={delivery.event_id} />],
          [
            'Subscription',
            subscription ? (
              <Link
                key="subscription"
                to="/$workspaceId/webhooks/$webhookId"
                params={{ webhookId: delivery.webhook_id }}
              >
                {nameOfSubscription(subscription)}
              </Link>
            ) : (
              <Id key="subscription" value={delivery.webhook_id} />
            ),
          ],
          subscription && ['Destination', <code key="destination">{destinationOf(subscription)}</code>],
          ['Event occurred', <Time key="occurred" value={delivery.occurred_at} format="absolute" />],
          ['Created', <Time key="created" value={delivery.created_at} format="absolute" />],
          delivery.delivered_at !== null && [
            'Delivered',
            <Time key="delivered" value={delivery.delivered_at} format="absolute" />,
          ],
        ]}
      />
    </Card>
  )
}
