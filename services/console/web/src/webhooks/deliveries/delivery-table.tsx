import type { LinkProps } from '@tanstack/react-router'
import type { Delivery } from '@wp/contracts'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { type Column, DataTable } from '../../ui/table/data-table.tsx'
import type { Selection } from '../../ui/table/row-selection.tsx'
import { StatusBadge, Time } from '../../ui/values/values.tsx'
import styles from '../shared/webhooks.module.css'

export type DeliveryView = z.infer<typeof Delivery>

const eventColumn: Column<DeliveryView> = {
  header: 'Event',
  cell: ({ event }) => <span className={styles.event}>{event}</span>,
}

const lastColumns: readonly Column<DeliveryView>[] = [
  { header: 'Attempts', cell: ({ attempt_count }) => attempt_count, align: 'end' },
  { header: 'Last result', cell: (row) => <Result delivery={row} /> },
  { header: 'Created', cell: ({ created_at }) => <Time value={created_at} />, align: 'end' },
]

const lastResult = ({ last_status_code, last_error_kind }: DeliveryView): string => {
  if (last_error_kind) return last_error_kind.replaceAll('_', ' ')
  return last_status_code === null ? '–' : `HTTP ${last_status_code}`
}

const statusColumn: Column<DeliveryView> = { header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> }

const SubscriptionName = ({ name }: { name: string }) => (
  <span className={styles.clipped} title={name}>
    {name}
  </span>
)

/** The last result and, below it, when the next attempt is due. */
function Result({ delivery }: { delivery: DeliveryView }) {
  const { next_attempt_at: next, attempt_count } = delivery
  return (
    <span className={styles.result}>
      <span>{lastResult(delivery)}</span>
      {next !== null && attempt_count > 0 && (
        <span className="muted small">
          {Date.parse(next) > Date.now() ? (
            <>
              retry <Time value={next} />
            </>
          ) : (
            'retry is held'
          )}
        </span>
      )}
    </span>
  )
}

/** A list of deliveries. @param nameOf names the subscription of a delivery; without it the column is left out */
export function DeliveryTable({
  rows,
  nameOf,
  linkOf,
  selection,
  error,
  onRetry,
  empty,
  footer,
}: {
  rows: readonly DeliveryView[] | undefined
  nameOf?: (webhookId: string) => string
  /** The target of a row: a look at the delivery beside the list. */
  linkOf: (requestId: string) => LinkProps
  selection?: Selection
  error?: unknown
  onRetry?: () => void
  empty: ReactNode
  footer?: ReactNode
}) {
  const subscriptionColumn: Column<DeliveryView> = {
    header: 'Subscription',
    cell: ({ webhook_id }) => <SubscriptionName name={nameOf?.(webhook_id) ?? ''} />,
  }
  return (
    <DataTable
      label="Deliveries"
      columns={[eventColumn, statusColumn, ...(nameOf ? [subscriptionColumn] : []), ...lastColumns]}
      rows={rows}
      rowKey={({ request_id }) => request_id}
      rowName={({ event, request_id }) => `${event} ${request_id}`}
      rowLink={({ request_id }) => linkOf(request_id)}
      {...(selection && { selection })}
      error={error}
      {...(onRetry && { onRetry })}
      empty={empty}
      footer={footer}
    />
  )
}
