import type { LinkProps } from '@tanstack/react-router'
import { Icon } from '../../ui/button/button.tsx'
import { formatBytes } from '../../ui/format/format.ts'
import { Callout, ErrorMessage } from '../../ui/message/message.tsx'
import { Card } from '../../ui/page/page.tsx'
import { type Column, DataTable } from '../../ui/table/data-table.tsx'
import { Time } from '../../ui/values/values.tsx'
import styles from '../shared/webhooks.module.css'
import { ArrivalDrawer, type ArrivalView, eventOf, SignatureBadge } from './arrival-drawer.tsx'
import type { useArrivals } from './use-arrivals.ts'

/**
 * Shows the requests that arrived at the test receiver of a subscription, as it arrives.
 *
 * @param looked id of the one that is looked at
 */
export function ReceiverCard({
  arrivals: { receiver, requests, error, refetch },
  looked,
  linkOf,
  onClose,
}: {
  arrivals: ReturnType<typeof useArrivals>
  looked: string | undefined
  linkOf: (id: string) => LinkProps
  onClose: () => void
}) {
  const arrival = requests?.find(({ id }) => id === looked)
  return (
    <Card
      title="Test receiver"
      isFlush
      description={
        receiver && (
          <>
            Shows the newest 50 requests as they arrive. Ends <Time value={receiver.expires_at} />.
          </>
        )
      }
    >
      <div className={styles.arrivals} aria-live="polite">
        {error ? (
          <ErrorMessage error={error} onRetry={refetch} />
        ) : receiver === undefined ? (
          <Callout tone="warning" title="The test receiver has ended">
            Deliveries to it are answered with 410. Edit the webhook: give it the address of your own receiver, or of a
            new test receiver.
          </Callout>
        ) : (
          <DataTable
            label="Requests that arrived"
            columns={columns}
            rows={requests}
            rowKey={({ id }) => id}
            rowLink={({ id }) => linkOf(id)}
            empty={
              <p className={styles.waiting}>
                <Icon name="bolt" size={16} />
                Nothing has arrived yet. Send a test: it arrives here within a second, and its signature is verified.
              </p>
            }
          />
        )}
      </div>
      {arrival && <ArrivalDrawer arrival={arrival} onClose={onClose} />}
    </Card>
  )
}

const columns: readonly Column<ArrivalView>[] = [
  { header: 'Event', cell: (row) => <span className={styles.event}>{eventOf(row)}</span> },
  { header: 'Signature', cell: ({ signature }) => <SignatureBadge state={signature} /> },
  { header: 'Size', cell: ({ body_bytes }) => formatBytes(body_bytes), align: 'end' },
  { header: 'Arrived', cell: ({ received_at }) => <Time value={received_at} />, align: 'end' },
]
