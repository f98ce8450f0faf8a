import type { LinkProps } from '@tanstack/react-router'
import { useState } from 'react'
import { usePortal } from '../../session/portal-context.ts'
import { useApiQuery, useBaseUrl } from '../../session/workspace-context.tsx'
import { ButtonLink } from '../../ui/button/button-link.tsx'
import { Segmented } from '../../ui/menu/tabs.tsx'
import { EmptyState } from '../../ui/message/message.tsx'
import { Card } from '../../ui/page/page.tsx'
import { CodeBlock } from '../../ui/values/code-block.tsx'
import { pollSnippet, sendTestSnippet } from '../shared/snippets.ts'
import type { SubscriptionView } from '../shared/subscription-name.ts'
import { followMs } from '../shared/subscription-state.ts'
import { DeliveryTable } from './delivery-table.tsx'

const shownDeliveries = 10

const filters = [
  { value: 'all', label: 'All' },
  { value: 'pending', label: 'Pending' },
  { value: 'failed', label: 'Failed' },
  { value: 'skipped', label: 'Skipped' },
] as const

/** The newest deliveries of a subscription, with a link to all of them. */
export function WebhookDeliveries({
  subscription,
  linkOf,
}: {
  subscription: SubscriptionView
  linkOf: (requestId: string) => LinkProps
}) {
  const { webhook_id: webhookId, delivery, events } = subscription
  const baseUrl = useBaseUrl()
  const isPortal = usePortal() !== undefined
  const [filter, setFilter] = useState<(typeof filters)[number]['value']>('all')
  const status = filter === 'all' ? {} : { status: filter }
  const page = useApiQuery(
    ['webhooks', 'deliveries', { webhook: webhookId, filter }],
    (api, options) =>
      api.webhooks.listDeliveries(
        { params: { webhook_id: webhookId }, query: { ...status, limit: shownDeliveries } },
        options,
      ),
    { refetchInterval: followMs(subscription) },
  )
  return (
    <Card
      title="Deliveries"
      isFlush
      actions={
        <>
          <Segmented label="Status" options={filters} value={filter} onChange={setFilter} />
          {!isPortal && (
            <ButtonLink size="small" to="/$workspaceId/webhooks/deliveries" search={{ webhook: webhookId, ...status }}>
              See all
            </ButtonLink>
          )}
        </>
      }
    >
      <DeliveryTable
        rows={page.data?.items}
        linkOf={linkOf}
        error={page.error}
        onRetry={() => void page.refetch()}
        empty={
          filter === 'all' ? (
            <EmptyState
              icon="webhooks"
              title="No deliveries yet"
              snippet={
                !isPortal && (
                  <CodeBlock
                    label={delivery === 'poll' ? 'Poll the deliveries' : 'Send a test'}
                    code={delivery === 'poll' ? pollSnippet(baseUrl, webhookId) : sendTestSnippet(baseUrl, webhookId)}
                  />
                )
              }
            >
              {delivery === 'poll' ? 'Events wait here' : 'Send a test to see one at once. Events follow'} when they
              happen.{' '}
              {events.some((kind) => kind === '*' || kind.startsWith('DATA_SYNC_')) &&
                'A small file that is stored while it is uploaded is no sync, so it sends no event.'}
            </EmptyState>
          ) : (
            <EmptyState icon="filter" title={`No ${filter} deliveries`} />
          )
        }
      />
    </Card>
  )
}
