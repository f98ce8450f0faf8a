import type { JsMsg } from '@nats-io/jetstream'
import type { Metrics } from '@wp/runtime'
import { parseEnvelope } from '../bus/envelope.ts'
import type { CircuitPause } from './circuit-pause.ts'
import type { EventProcessor } from './event-processor.ts'

/** Brings one message from the broker to its end here: acknowledged, or given back for later. */
export function createMessageHandler(options: {
  consumer: string
  kinds: readonly string[] | 'all'
  processor: Pick<EventProcessor, 'process' | 'deadLetter'>
  circuit: CircuitPause
  metrics: Metrics
}): (message: JsMsg, streamCreatedAt: string) => Promise<void> {
  const { consumer, kinds, processor, circuit, metrics } = options
  const wantedKinds = kinds === 'all' ? undefined : new Set(kinds)

  return async (message, streamCreatedAt) => {
    const { streamSequence: sequence, redelivered, pending } = message.info
    const meta = { sequence, redelivered, subject: message.subject, streamCreatedAt }
    metrics.gauge('events_pending', pending, { consumer })
    try {
      const parsed = parseEnvelope(message.data)
      if ('defect' in parsed) {
        const id = message.headers?.get('Nats-Msg-Id') || `sequence-${sequence}`
        await processor.deadLetter(id, { text: message.string().slice(0, 10_000) }, meta, parsed.defect)
      } else if (wantedKinds === undefined || wantedKinds.has(parsed.event.kind)) {
        const result = await processor.process(parsed.event, meta)
        circuit.reset()
        if (result !== 'settled') return message.nak(result.retryMs)
      }
      message.ack()
    } catch (error) {
      // Nothing is counted: it was not the event's fault.
      message.nak(circuit.open(error))
    }
  }
}
