import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useWorkspace } from '../../session/workspace-context.tsx'
import { Unloaded } from '../../ui/message/message.tsx'
import { showSuccess } from '../../ui/message/toast.ts'
import { Page } from '../../ui/page/page.tsx'
import { isSameFilter } from '../shared/filter-text.ts'
import { toHeadersPatch } from '../shared/header-rows.ts'
import { useSubscription } from '../shared/queries.ts'
import { nameOfSubscription, type SubscriptionView } from '../shared/subscription-name.ts'
import { type KeptSecrets, SubscriptionForm, type SubscriptionValues } from './subscription-form.tsx'

const route = getRouteApi('/$workspaceId/webhooks/$webhookId/edit')

/** Changes a subscription. */
export function EditWebhookPage() {
  const { webhookId } = route.useParams()
  const { api, workspaceId, refresh } = useWorkspace()
  const navigate = useNavigate()
  const { data, error, refetch } = useSubscription(webhookId)
  const page = { to: '/$workspaceId/webhooks/$webhookId', params: { workspaceId, webhookId } } as const
  const save = async (before: SubscriptionView, values: SubscriptionValues, kept: KeptSecrets) => {
    await api.webhooks.updateSubscription({ params: { webhook_id: webhookId }, body: changesOf(before, values, kept) })
    await refresh('webhooks')
    showSuccess('Saved the webhook')
    await navigate(page)
  }
  return (
    <Page
      title="Edit webhook"
      isNarrow
      parent={{ label: data === undefined ? 'Webhook' : nameOfSubscription(data), link: page }}
    >
      {data === undefined ? (
        <Unloaded error={error} refetch={refetch} height="24rem" />
      ) : (
        <SubscriptionForm
          subscription={data}
          onSubmit={(values, kept) => save(data, values, kept)}
          onCancel={() => void navigate(page)}
        />
      )}
    </Page>
  )
}

/** Returns the changed fields only: a new endpoint, secret or header resets the failure history of a subscription. */
function changesOf(before: SubscriptionView, values: SubscriptionValues, kept: KeptSecrets) {
  const { delivery, endpoint, events, filter, description, ordering, authentication, rate_limit } = values
  const headers = toHeadersPatch(Object.keys(before.headers), kept.headers)
  const isSameAuthentication = kept.isAuthenticationKept || (authentication === null && before.authentication === null)
  const isSameEvents = events.length === before.events.length && events.every((kind) => before.events.includes(kind))
  return {
    ...(delivery !== before.delivery && { delivery }),
    ...(delivery === 'push' && endpoint !== undefined && endpoint !== before.endpoint && { endpoint }),
    ...(!isSameEvents && { events }),
    ...(!isSameFilter(filter, before.filter) && { filter }),
    ...(!isSameAuthentication && { authentication }),
    ...(rate_limit !== before.rate_limit && { rate_limit }),
    ...(description !== before.description && { description }),
    ...(ordering !== before.ordering && { ordering }),
    ...(headers !== undefined && { headers }),
  }
}
