import { type ResultOf, timestamp, webhookEventKinds, webhookEvents, type webhooks } from '@wp/contracts'
import { z } from 'zod'

type EventKind = ResultOf<typeof webhooks.listEventKinds>['items'][number]

const exampleOccurredAt = '2026-01-05T09:30:00.000Z'

/**
 * The event kinds a subscription can name, in alphabetical order, with the schema of the delivered payload and an
 * example.
 */
export const eventCatalogue: readonly EventKind[] = webhookEventKinds.toSorted().map((eventKind) => {
  const { kind, summary, data, example } = webhookEvents[eventKind]
  const { id, status, ...details } = example
  return {
    kind,
    summary,
    // The input schema allows additional fields, which may be added within /v1.
    schema: z.toJSONSchema(data.extend({ occurred_at: timestamp() }), { io: 'input' }),
    example: { id, status, occurred_at: exampleOccurredAt, ...details },
  }
})
