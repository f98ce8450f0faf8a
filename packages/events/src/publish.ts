import type { DomainEvent } from '@wp/contracts'
import type { Log } from '@wp/database'
import type { Bus } from './bus.ts'
import { reduced, toEnvelope } from './envelope.ts'
import { markPublished, setAside, unpublished } from './outbox.ts'
import { eventSubject, streamName } from './subject.ts'
import type { WorkerClient } from './worker-transaction.ts'

/** Rows of one pass. */
const batch = 200

/** A pass ends after so long, so that its connection is never taken for forgotten (60 s without a statement). */
const longestMs = 20_000

/** Room for subject and headers beside the event itself. Bytes. */
const framing = 1_024

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
  await bus.jetstream.untilLost(acknowledged)
}

/**
 * Publishes the oldest unpublished events, in order, each after the one before is acknowledged, and marks them. Stops
 * at the first failure: what was acknowledged before it stays marked.
 *
 * @returns how many, whether there may be more, and what stopped it
 */
export async function publishOldest(relay: {
  client: WorkerClient
  bus: Bus
  /** Whose events go there; empty: the service's own. */
  shard: string
  service: string
  log: Log
  signal: AbortSignal
}): Promise<{ published: number; more: boolean; failure?: unknown }> {
  const { client, bus, shard, service, log, signal } = relay
  const rows = await unpublished(client, shard, batch)
  let done = 0
  let failure: unknown
  const endsAt = performance.now() + longestMs
  for (const row of rows) {
    if (signal.aborted || performance.now() > endsAt) break
    const event = toEnvelope(row)
    try {
      const { maxPayload } = bus.jetstream.broker()
      const payload = sendable(event, maxPayload - framing)
      if (payload === undefined) {
        await setAside(client, row, `larger than the broker's ${maxPayload} bytes`)
        log.error({ event: row.id, kind: row.kind }, 'an event is too large for the broker and was set aside')
      } else {
        await publishEvent(bus, service, event, payload)
      }
      done += 1
    } catch (error) {
      failure = error
      break
    }
  }
  if (done > 0) await markPublished(client, rows.slice(0, done))
  return { published: done, more: failure === undefined && (done === batch || done < rows.length), failure }
}

/** The event as it is put on the broker: whole where that fits, else what it is about; undefined where nothing does. */
function sendable(event: DomainEvent, mostBytes: number): string | undefined {
  const whole = JSON.stringify(event)
  if (Buffer.byteLength(whole) <= mostBytes) return whole
  const part = JSON.stringify(reduced(event))
  return Buffer.byteLength(part) <= mostBytes ? part : undefined
}
