import type { UseQueryResult } from '@tanstack/react-query'
import { usePortal } from '../../session/portal-context.ts'
import { useBaseUrl } from '../../session/workspace-context.tsx'
import { ButtonLink } from '../../ui/button/button-link.tsx'
import { formatCompact, formatPercent } from '../../ui/format/format.ts'
import { EmptyState } from '../../ui/message/message.tsx'
import type { Column } from '../../ui/table/data-table.tsx'
import { type ListPage, PagedTable } from '../../ui/table/paged-table.tsx'
import { Snippets } from '../../ui/values/code-block.tsx'
import { Badge, StatusBadge, Time } from '../../ui/values/values.tsx'
import { createWebhookSnippets } from '../shared/snippets.ts'
import {
  destinationOf,
  isReceiverAddress,
  nameOfSubscription,
  type SubscriptionView,
} from '../shared/subscription-name.ts'
import { brokenRate, lowRate, stateOf } from '../shared/subscription-state.ts'
import styles from '../shared/webhooks.module.css'

const maxCountedPending = 10_000

/** Formats a number of pending deliveries, which the API counts to 10,000. */
export const formatPending = (pending: number): string =>
  pending >= maxCountedPending ? '10,000 or more' : formatCompact(pending)

const columns: readonly Column<SubscriptionView>[] = [
  {
    header: 'Subscription',
    cell: (row) => (
      <span className={styles.named}>
        <span className={styles.name}>{nameOfSubscription(row)}</span>
        <span
          className={row.delivery === 'poll' || isReceiverAddress(row.endpoint) ? styles.polled : styles.destination}
        >
          {destinationOf(row)}
        </span>
      </span>
    ),
  },
  { header: 'Status', cell: (row) => <StatusBadge status={stateOf(row)} /> },
  { header: 'Events', cell: ({ events }) => (events.includes('*') ? <Badge>all</Badge> : events.length), align: 'end' },
  { header: 'Success, 24 h', cell: ({ stats }) => <SuccessRate rate={stats.success_rate} />, align: 'end' },
  { header: 'Pending', cell: ({ stats }) => formatPending(stats.pending), align: 'end' },
  { header: 'Last success', cell: ({ stats }) => <Time value={stats.last_success_at} /> },
  { header: 'Last failure', cell: ({ stats }) => <Time value={stats.last_failure_at} /> },
]

/** The share of successful attempts; a low one stands out. */
export function SuccessRate({ rate }: { rate: number | null }) {
  if (rate === null) return <span>–</span>
  const look = rate < brokenRate ? styles.broken : rate < lowRate ? styles.low : undefined
  return <span className={look}>{formatPercent(rate, rate > 0.99 && rate < 1 ? 2 : 0)}</span>
}

/** The list of subscriptions. */
export function SubscriptionTable({
  page,
  isFiltered,
  canCreate,
}: {
  page: UseQueryResult<ListPage<SubscriptionView>>
  isFiltered: boolean
  canCreate: boolean
}) {
  return (
    <PagedTable
      label="Webhook subscriptions"
      columns={columns}
      page={page}
      noun="subscriptions"
      rowKey={({ webhook_id }) => webhook_id}
      rowLink={({ webhook_id }) => ({
        to: '/$workspaceId/webhooks/$webhookId',
        params: { webhookId: webhook_id },
      })}
      empty={
        isFiltered ? (
          <EmptyState icon="filter" title="No subscription matches the filters" />
        ) : (
          <NoSubscriptions canCreate={canCreate} />
        )
      }
    />
  )
}

function NoSubscriptions({ canCreate }: { canCreate: boolean }) {
  const baseUrl = useBaseUrl()
  const isPortal = usePortal() !== undefined
  return (
    <EmptyState
      icon="webhooks"
      title="No webhooks yet"
      actions={
        <>
          {canCreate && (
            <ButtonLink variant="primary" to="/$workspaceId/webhooks/new">
              Add webhook
            </ButtonLink>
          )}
          <ButtonLink to="/$workspaceId/webhooks/events">See the events</ButtonLink>
        </>
      }
      snippet={!isPortal && <Snippets label="Create a subscription" snippets={createWebhookSnippets(baseUrl)} />}
    >
      A subscription names the events you want and the HTTPS endpoint that receives them.
      {!isPortal && ' A receiver that cannot be reached from outside polls its deliveries instead.'}
    </EmptyState>
  )
}
