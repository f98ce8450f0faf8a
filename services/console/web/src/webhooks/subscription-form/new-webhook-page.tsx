import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { MissingScopeNotice } from '../../session/missing-scope-notice.tsx'
import { useWorkspace } from '../../session/workspace-context.tsx'
import { Page } from '../../ui/page/page.tsx'
import { isReceiverAddress } from '../shared/subscription-name.ts'
import { WebhookSecretDialog } from './secret-choice.tsx'
import { SubscriptionForm, type SubscriptionValues } from './subscription-form.tsx'

const route = getRouteApi('/$workspaceId/webhooks/new')

/** Creates a subscription, and shows a generated secret. */
export function NewWebhookPage() {
  const { event } = route.useSearch()
  const { api, workspaceId, refresh } = useWorkspace()
  const navigate = useNavigate()
  const [created, setCreated] = useState<{ webhookId: string; secret: string }>()
  const parent = { to: '/$workspaceId/webhooks', params: { workspaceId } } as const
  const open = (webhookId: string) =>
    navigate({ to: '/$workspaceId/webhooks/$webhookId', params: { workspaceId, webhookId } })
  const create = async ({ endpoint, ...values }: SubscriptionValues) => {
    const body = { ...values, ...(values.delivery === 'push' && endpoint !== undefined && { endpoint }) }
    const { webhook_id: webhookId, secret } = await api.webhooks.createSubscription({ body })
    await refresh('webhooks')
    // A test receiver needs no secret of the person: the platform verifies.
    if (secret === undefined || isReceiverAddress(endpoint)) await open(webhookId)
    else setCreated({ webhookId, secret })
  }
  return (
    <Page title="Add webhook" isNarrow parent={{ label: 'Webhooks', link: parent }}>
      <MissingScopeNotice action="add webhooks" scope="webhooks:write" />
      <SubscriptionForm
        initialEvents={event === undefined ? [] : [event]}
        onSubmit={create}
        onCancel={() => void navigate(parent)}
      />
      {created && (
        <WebhookSecretDialog
          title="The webhook is ready"
          secret={created.secret}
          onClose={() => void open(created.webhookId)}
        />
      )}
    </Page>
  )
}
