import type { LinkProps } from '@tanstack/react-router'
import type { ReceivedRequest } from '@wp/contracts'
import type { z } from 'zod'
import { Icon } from '../../ui/button/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { formatBytes } from '../../ui/format/format.ts'
import { Callout, ErrorMessage } from '../../ui/message/message.tsx'
import { Card, Stack } from '../../ui/page/page.tsx'
import { type Column, DataTable } from '../../ui/table/data-table.tsx'
import { JsonView } from '../../ui/values/code-block.tsx'
import { Badge, DefinitionList, Time, type Tone } from '../../ui/values/values.tsx'
import { HeaderList } from '../attempts/attempt-list.tsx'
import styles from '../shared/webhooks.module.css'
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

type ArrivalView = z.infer<typeof ReceivedRequest>

/** Returns the kind of the event, or that the request is none of the platform's. */
const eventOf = ({ headers }: Pick<ArrivalView, 'headers'>): string =>
  headers['x-webhook-event'] ?? 'Request from outside'

const states: Readonly<Record<ArrivalView['signature'], { label: string; tone: Tone; explanation: string }>> = {
  valid: {
    label: 'signature valid',
    tone: 'success',
    explanation: 'It was made with the secret of this webhook, over exactly this body, less than 5 minutes before.',
  },
  expired: {
    label: 'signature expired',
    tone: 'warning',
    explanation:
      'It is right, but was made more than 5 minutes before it arrived. Receivers refuse that: it may be replayed.',
  },
  invalid: {
    label: 'signature invalid',
    tone: 'danger',
    explanation: 'It was not made with the secret of a webhook that delivers here. A receiver must refuse the request.',
  },
  unsigned: {
    label: 'not signed',
    tone: 'warning',
    explanation: 'The request has no signature, so a receiver cannot tell who sent it.',
  },
}

/** Says whether the signature of a request is valid. */
const SignatureBadge = ({ state }: { state: ArrivalView['signature'] }) => (
  <Badge tone={states[state].tone}>{states[state].label}</Badge>
)

/** A request that arrived: its signature, headers and body. */
function ArrivalDrawer({ arrival, onClose }: { arrival: ArrivalView; onClose: () => void }) {
  const { label, tone, explanation } = states[arrival.signature]
  const title = label.charAt(0).toUpperCase() + label.slice(1)
  return (
    <Dialog isOpen onClose={onClose} size="drawer" title={eventOf(arrival)}>
      <Stack>
        <Callout tone={tone === 'success' || tone === 'danger' ? tone : 'warning'} title={title}>
          {explanation}
        </Callout>
        <DefinitionList
          items={[
            ['Arrived', <Time key="arrived" value={arrival.received_at} format="absolute" />],
            ['Size', formatBytes(arrival.body_bytes)],
          ]}
        />
        <h3>Body</h3>
        <JsonView value={arrival.body} label="Body" />
        <h3>Headers</h3>
        <HeaderList headers={arrival.headers} />
      </Stack>
    </Dialog>
  )
}
