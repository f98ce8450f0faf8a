import type { JsMsg } from '@nats-io/jetstream'
import { parseEnvelope } from './envelope.ts'
import type { Handling } from './handling.ts'
import type { Rest } from './rest.ts'
import type { Metrics } from './worker.ts'

/** Brings one message from the broker to its end here: acknowledged, or given back for later. */
export function createTaker(options: {
  consumer: string
  kinds: readonly string[] | 'all'
  handling: Pick<Handling, 'settle' | 'bury'>
  rest: Rest
  metrics: Metrics
}): (message: JsMsg, streamCreatedAt: string) => Promise<void> {
  const { consumer, kinds, handling, rest, metrics } = options
  const wanted = kinds === 'all' ? undefined : new Set(kinds)

  return async (message, streamCreatedAt) => {
    const { streamSequence: sequence, redelivered, pending } = message.info
    const meta = { sequence, redelivered, subject: message.subject, streamCreatedAt }
    metrics.gauge('events_pending', pending, { consumer })
    try {
      const parsed = parseEnvelope(message.data)
      if ('flaw' in parsed) {
        const id = message.headers?.get('Nats-Msg-Id') || `sequence-${sequence}`
        await handling.bury(id, { text: message.string().slice(0, 10_000) }, meta, parsed.flaw)
      } else if (wanted === undefined || wanted.has(parsed.event.kind)) {
        const outcome = await handling.settle(parsed.event, meta)
        rest.refreshed()
        if (outcome !== 'settled') return message.nak(outcome.retryMs)
      }
      message.ack()
    } catch (error) {
      // Nothing is counted: it was not the event's fault.
      message.nak(rest.begin(error))
    }
  }
}
