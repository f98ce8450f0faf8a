import type { JsMsg } from '@nats-io/jetstream'
import type { DomainEvent } from '@wp/contracts'
import { errorClass, type Metrics, type Span, type Tracing } from '@wp/runtime'
import { parseEnvelope } from '../bus/envelope.ts'
import type { EventProcessor } from './event-processor.ts'
import type { CircuitPause } from './pull/circuit-pause.ts'

/**
 * Returns a function that processes one message and acknowledges it, or returns it to the broker for a later attempt.
 * Messages of other kinds are acknowledged without processing.
 */
export function createMessageHandler(options: {
  consumer: string
  kinds: readonly string[] | 'all'
  isWanted?: ((event: DomainEvent) => Promise<boolean>) | undefined
  processor: Pick<EventProcessor, 'process' | 'deadLetter'>
  circuit: CircuitPause
  /** Interval at which the broker is told that an event is still in progress, so that it is not redelivered. */
  progressMs: number
  metrics: Metrics
  tracing?: Tracing | undefined
}): (message: JsMsg, streamCreatedAt: string) => Promise<void> {
  const { consumer, kinds, isWanted, processor, circuit, progressMs, metrics, tracing } = options
  const consumedKinds = kinds === 'all' ? undefined : new Set(kinds)

  return async (message, streamCreatedAt) => {
    const { streamSequence: sequence, redelivered, pending } = message.info
    const metadata = { sequence, redelivered, subject: message.subject, streamCreatedAt }
    metrics.gauge('events_pending', pending, { consumer })
    let span: Span | undefined
    const progressTimer = setInterval(() => message.working(), progressMs)
    try {
      const parsed = parseEnvelope(message.data)
      if ('defect' in parsed) {
        const id = message.headers?.get('Nats-Msg-Id') || `sequence-${sequence}`
        await processor.deadLetter(id, { text: message.string().slice(0, 10_000) }, metadata, parsed.defect)
      } else if (consumedKinds === undefined || consumedKinds.has(parsed.event.kind)) {
        const { event } = parsed
        if (isWanted !== undefined && !(await isWanted(event))) return message.ack()
        span = tracing?.startSpan(`process ${event.kind}`, {
          kind: 'consumer',
          parent: event.traceparent,
          attributes: { 'messaging.system': 'nats', 'messaging.consumer.group.name': consumer },
        })
        // The effects of the event belong to the span.
        const traced = span === undefined ? event : { ...event, traceparent: span.traceparent }
        const result = await processor.process(traced, metadata)
        circuit.reset()
        span?.end(result === 'processed' ? undefined : 'retried')
        if (result !== 'processed') return message.nak(result.retryMs)
      }
      message.ack()
    } catch (error) {
      span?.end(errorClass(error))
      // An infrastructure failure says nothing about the event, so no attempt is counted.
      message.nak(circuit.open(error))
    } finally {
      clearInterval(progressTimer)
    }
  }
}
