import { type ResultOf, timestamp, webhookEvents, type webhooks } from '@wp/contracts'
import { z } from 'zod'

type EventKind = ResultOf<typeof webhooks.listEventKinds>['items'][number]

const exampleOccurredAt = '2026-01-05T09:30:00.000Z'

/** Every kind a subscription can name, by name: what its payload looks like as it is delivered, and an example. */
export const eventCatalogue: readonly EventKind[] = Object.values(webhookEvents)
  .map(({ kind, summary, data, example }) => {
    const { id, status, ...more } = example
    return {
      kind,
      summary,
      schema: z.toJSONSchema(data.extend({ occurred_at: timestamp() }), {
        // As input, so that it leaves room for fields that are added within /v1.
        io: 'input',
      }),
      example: { id, status, occurred_at: exampleOccurredAt, ...more },
    }
  })
  .sort((a, b) => (a.kind < b.kind ? -1 : 1))
