import type { ReceivedRequest } from '@wp/contracts'
import type { z } from 'zod'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { formatBytes } from '../../ui/format/format.ts'
import { Callout } from '../../ui/message/message.tsx'
import { Stack } from '../../ui/page/page.tsx'
import { JsonView } from '../../ui/values/code-block.tsx'
import { Badge, DefinitionList, Time, type Tone } from '../../ui/values/values.tsx'
import { HeaderList } from '../attempts/attempt-list.tsx'

export type ArrivalView = z.infer<typeof ReceivedRequest>

/** Returns the kind of the event, or that the request is none of the platform's. */
export const eventOf = ({ headers }: Pick<ArrivalView, 'headers'>): string =>
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
export const SignatureBadge = ({ state }: { state: ArrivalView['signature'] }) => (
  <Badge tone={states[state].tone}>{states[state].label}</Badge>
)

/** A request that arrived: its signature, headers and body. */
export function ArrivalDrawer({ arrival, onClose }: { arrival: ArrivalView; onClose: () => void }) {
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
