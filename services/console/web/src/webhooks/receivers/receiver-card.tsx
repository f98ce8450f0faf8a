import type { ReceivedRequest } from '@wp/contracts'
import { useState } from 'react'
import type { z } from 'zod'
import { useApiQuery } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { formatBytes } from '../../ui/format/format.ts'
import { Callout, EmptyState, ErrorMessage, Skeleton } from '../../ui/message/message.tsx'
import { Card } from '../../ui/page/page.tsx'
import { type Column, DataTable } from '../../ui/table/data-table.tsx'
import { Time } from '../../ui/values/values.tsx'
import styles from '../shared/webhooks.module.css'
import { ArrivalDrawer, SignatureBadge } from './arrival-drawer.tsx'

export type ArrivalView = z.infer<typeof ReceivedRequest>

const pollMs = 1_500

/** What arrived at the test receiver of a subscription, as it arrives. */
export function ReceiverCard({ endpoint }: { endpoint: string }) {
  const receivers = useApiQuery(
    ['webhooks', 'receivers'],
    (api, options) => api.webhooks.listReceivers({ query: { limit: 100 } }, options),
    { staleTime: 60_000 },
  )
  const receiver = receivers.data?.items.find((item) => item.endpoint === endpoint)
  return (
    <Card
      title="Test receiver"
      isFlush
      description={
        receiver ? (
          <>
            Shows the newest 50 requests as they arrive. Ends <Time value={receiver.expires_at} />.
          </>
        ) : (
          'Shows what arrives at the address'
        )
      }
    >
      {receivers.error ? (
        <ErrorMessage error={receivers.error} onRetry={() => void receivers.refetch()} />
      ) : receivers.data === undefined ? (
        <div className={styles.arrivals}>
          <Skeleton height="6rem" />
        </div>
      ) : receiver === undefined ? (
        <div className={styles.arrivals}>
          <Callout tone="warning" title="The test receiver has ended">
            Deliveries to it are answered with 410. Edit the webhook, and give it the address of your own receiver or of a
            new test receiver.
          </Callout>
        </div>
      ) : (
        <Arrivals receiverId={receiver.receiver_id} />
      )}
    </Card>
  )
}

function Arrivals({ receiverId }: { receiverId: string }) {
  const [looked, setLooked] = useState<ArrivalView>()
  const page = useApiQuery(
    ['webhooks', 'arrivals', receiverId],
    (api, options) =>
      api.webhooks.listReceivedRequests({ params: { receiver_id: receiverId }, query: { limit: 50 } }, options),
    { refetchInterval: pollMs },
  )
  const columns: readonly Column<ArrivalView>[] = [
    { header: 'Event', cell: (row) => <span className={styles.event}>{eventOf(row)}</span> },
    { header: 'Signature', cell: ({ signature }) => <SignatureBadge state={signature} /> },
    { header: 'Size', cell: ({ body_bytes }) => formatBytes(body_bytes), align: 'end' },
    { header: 'Arrived', cell: ({ received_at }) => <Time value={received_at} /> },
    {
      header: '',
      isNarrow: true,
      cell: (row) => (
        <Button size="small" onClick={() => setLooked(row)}>
          Look at {eventOf(row)}
        </Button>
      ),
    },
  ]
  return (
    <div className={styles.arrivals} aria-live="polite">
      <DataTable
        label="Requests that arrived"
        columns={columns}
        rows={page.data?.items}
        rowKey={({ id }) => id}
        error={page.error}
        onRetry={() => void page.refetch()}
        empty={
          <EmptyState icon="bolt" title="Nothing has arrived yet">
            Send a test: it arrives here within a second, and its signature is verified.
          </EmptyState>
        }
      />
      {looked && <ArrivalDrawer arrival={looked} onClose={() => setLooked(undefined)} />}
    </div>
  )
}

/** Returns the kind of the event, or that the request is none of the platform's. */
export const eventOf = ({ headers }: Pick<ArrivalView, 'headers'>): string =>
  headers['x-webhook-event'] ?? 'Request from outside'
