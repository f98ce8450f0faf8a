import { type DeliveryDetail, maskedValue } from '@wp/contracts'
import { useState } from 'react'
import type { z } from 'zod'
import { Segmented } from '../../ui/menu/tabs.tsx'
import { Card, Stack } from '../../ui/page/page.tsx'
import { CodeBlock, JsonView } from '../../ui/values/code-block.tsx'
import { asCurl, headersOf } from '../attempts/as-curl.ts'
import { HeaderList } from '../attempts/attempt-list.tsx'
import { useSubscription } from '../shared/queries.ts'

const views = [
  { value: 'body', label: 'Body' },
  { value: 'headers', label: 'Headers' },
  { value: 'curl', label: 'curl' },
] as const

/** Shows the request that the receiver gets: body, headers, and a command that sends the same. */
export function DeliveryRequestCard({ delivery }: { delivery: z.infer<typeof DeliveryDetail> }) {
  const { data: subscription } = useSubscription(delivery.webhook_id)
  const [view, setView] = useState<(typeof views)[number]['value']>('body')
  const isSigned = subscription?.has_secret ?? false
  const customHeaders = Object.keys(subscription?.headers ?? {})
  const request = {
    endpoint: subscription?.endpoint ?? 'https://example.com/webhooks',
    event: delivery.event,
    requestId: delivery.request_id,
    eventId: delivery.event_id,
    attempt: Math.max(1, delivery.attempt_count),
    body: delivery.body,
    isSigned,
    customHeaders,
  }
  return (
    <Card
      title="Request"
      actions={<Segmented label="Part of the request" options={views} value={view} onChange={setView} />}
    >
      {view === 'body' && (
        <Stack>
          <JsonView value={delivery.body} label="Body" />
          <p>Indented for reading. The signature covers the exact bytes, which the command under curl contains.</p>
        </Stack>
      )}
      {view === 'headers' && (
        <Stack>
          <HeaderList
            headers={{
              ...headersOf(request),
              ...(isSigned && {
                'x-webhook-signature': 'hexadecimal HMAC-SHA-256 of the body',
                'webhook-timestamp': 'seconds since 1970 of the attempt',
                'webhook-signature': 'v1, with base64 of the signature (Standard Webhooks)',
              }),
              ...Object.fromEntries(customHeaders.map((name) => [name, maskedValue])),
            }}
          />
          <p>
            {isSigned
              ? 'Signatures are made for each attempt and not stored.'
              : 'The subscription has no secret, so deliveries are not signed.'}
          </p>
        </Stack>
      )}
      {view === 'curl' && (
        <Stack>
          <CodeBlock code={asCurl(request)} label="curl command" wrap />
          <p>
            {isSigned
              ? 'Set WEBHOOK_SECRET to the secret of the subscription first: the command signs the body with it.'
              : 'The subscription has no secret, so the request is not signed.'}
          </p>
        </Stack>
      )}
    </Card>
  )
}
