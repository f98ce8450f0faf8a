import type { DomainEvent } from '@wp/contracts'
import type { WorkerClient } from '@wp/database'
import type { Log } from '@wp/runtime'
import type { Bus } from '../bus/bus.ts'
import { toEnvelope, truncateEvent } from '../bus/envelope.ts'
import { eventSubject, streamName } from '../bus/subject.ts'
import { deadLetterOutboxRow, findUnpublished, markPublished } from './outbox-table.ts'

/** Rows of one pass. */
const batchSize = 200

/** A pass ends after so long, so that its connection is never taken for forgotten (60 s without a statement). */
const maxPassMs = 20_000

/** Room for subject and headers beside the event itself. Bytes. */
const framingBytes = 1_024

/**
 * Puts an event onto the stream and waits until the broker has it; within the broker's duplicate window a second
 * publication of the same event is dropped there. What changes something goes through the outbox instead; this is for
 * producers that have none.
 *
 * @param producer the service the subject names
 * @throws BrokerAway; Error when the broker refuses it, or there is no stream yet
 */
export async function publishEvent(
  bus: Bus,
  producer: string,
  event: DomainEvent,
  payload = JSON.stringify(event),
): Promise<void> {
  const acknowledged = bus.jetstream.broker().client.publish(eventSubject(bus.shard, producer, event), payload, {
    msgID: event.id,
    expect: { streamName: streamName(bus.shard) },
  })
  await bus.jetstream.whileConnected(acknowledged)
}

/**
 * Publishes the oldest unpublished events, in order, each after the one before is acknowledged, and marks them. Stops
 * at the first failure: what was acknowledged before it stays marked.
 *
 * @returns how many, whether there may be more, and what stopped it
 */
export async function publishBatch(relay: {
  client: WorkerClient
  bus: Bus
  /** Whose events go there; empty: the service's own. */
  shard: string
  service: string
  log: Log
  signal: AbortSignal
}): Promise<{ published: number; hasMore: boolean; failure?: unknown }> {
  const { client, bus, shard, service, log, signal } = relay
  const rows = await findUnpublished(client, shard, batchSize)
  let settledCount = 0
  let failure: unknown
  const endsAt = performance.now() + maxPassMs
  for (const row of rows) {
    if (signal.aborted || performance.now() > endsAt) break
    const event = toEnvelope(row)
    try {
      const { maxPayload } = bus.jetstream.broker()
      const payload = fitPayload(event, maxPayload - framingBytes)
      if (payload === undefined) {
        await deadLetterOutboxRow(client, row, `larger than the broker's ${maxPayload} bytes`)
        log.error({ event: row.id, kind: row.kind }, 'an event is too large for the broker and was set aside')
      } else {
        await publishEvent(bus, service, event, payload)
      }
      settledCount += 1
    } catch (error) {
      failure = error
      break
    }
  }
  if (settledCount > 0) await markPublished(client, rows.slice(0, settledCount))
  return {
    published: settledCount,
    hasMore: failure === undefined && (settledCount === batchSize || settledCount < rows.length),
    failure,
  }
}

/** The event as it is put on the broker: whole where that fits, else what it is about; undefined where nothing does. */
function fitPayload(event: DomainEvent, maxBytes: number): string | undefined {
  const whole = JSON.stringify(event)
  if (Buffer.byteLength(whole) <= maxBytes) return whole
  const part = JSON.stringify(truncateEvent(event))
  return Buffer.byteLength(part) <= maxBytes ? part : undefined
}
