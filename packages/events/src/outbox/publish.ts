import type { DomainEvent } from '@wp/contracts'
import type { WorkerClient } from '@wp/database'
import type { Log } from '@wp/runtime'
import type { Bus } from '../bus/bus.ts'
import { toEnvelope, truncateEvent } from '../bus/envelope.ts'
import { eventSubject, streamName } from '../bus/subject.ts'
import { deadLetterOutboxRow, findUnpublished, markPublished } from './outbox-table.ts'

/** Maximum number of rows of one pass. */
const batchSize = 200

/** Maximum duration of a pass, well below the idle-in-transaction timeout of its connection (60 s). */
const maxPassMs = 20_000

/** Bytes reserved for subject and headers. */
const framingBytes = 1_024

/**
 * Publishes an event to the stream and waits for the broker's acknowledgement. The broker drops a second publication of
 * the same event within its duplicate window. Only for producers without an outbox; events that belong to a write must go
 * through the outbox.
 *
 * @param producer the service named in the subject
 * @throws BrokerUnavailable; Error if the broker rejects the event or the stream does not exist
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
 * Publishes the oldest unpublished events in order, each after the acknowledgement of the previous one, and marks them.
 * Stops at the first failure; events acknowledged before it are marked.
 *
 * @returns the number of events, whether there may be more, and the error that stopped the pass
 */
export async function publishBatch(relay: {
  client: WorkerClient
  bus: Bus
  /** Shard of the events to publish; empty for the shard of the service. */
  shard: string
  service: string
  log: Log
  signal: AbortSignal
}): Promise<{ published: number; hasMore: boolean; failure?: unknown }> {
  const { client, bus, shard, service, log, signal } = relay
  const rows = await findUnpublished(client, shard, batchSize)
  let completed = 0
  let failure: unknown
  const endsAt = performance.now() + maxPassMs
  for (const row of rows) {
    if (signal.aborted || performance.now() > endsAt) break
    const event = toEnvelope(row)
    try {
      const { maxPayload } = bus.jetstream.broker()
      const payload = fitPayload(event, maxPayload - framingBytes)
      if (payload === undefined) {
        await deadLetterOutboxRow(client, row, `larger than the broker's limit of ${maxPayload} bytes`)
        log.error(
          { event: 'domain_event.too_large', eventId: row.id, kind: row.kind },
          'event exceeds the size limit of the broker; recorded as a dead letter',
        )
      } else {
        await publishEvent(bus, service, event, payload)
      }
      completed += 1
    } catch (error) {
      failure = error
      break
    }
  }
  if (completed > 0) await markPublished(client, rows.slice(0, completed))
  return {
    published: completed,
    hasMore: failure === undefined && (completed === batchSize || completed < rows.length),
    failure,
  }
}

/** Returns the event as JSON, truncated if it is too large; undefined if it is too large even then. */
function fitPayload(event: DomainEvent, maxBytes: number): string | undefined {
  const full = JSON.stringify(event)
  if (Buffer.byteLength(full) <= maxBytes) return full
  const truncated = JSON.stringify(truncateEvent(event))
  return Buffer.byteLength(truncated) <= maxBytes ? truncated : undefined
}
