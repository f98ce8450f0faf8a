import { headers, type MsgHdrs } from '@nats-io/transport-node'
import type { DomainEvent } from '@wp/contracts'
import { BrokerUnavailable } from '../infrastructure-error.ts'
import type { Bus } from './bus.ts'
import { eventSubject, streamName } from './subject.ts'

const acknowledgementTimeoutMs = 5_000

/** An event and its JSON. */
export interface EventMessage {
  event: DomainEvent
  payload: string
}

/**
 * Publishes an event to the stream and waits for the broker's acknowledgement. The broker drops a second publication of
 * the same event within its duplicate window. Only for producers without an outbox; events that belong to a write must
 * go through the outbox.
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
 * Publishes events as one batch, of which the broker stores all, in this order, or none
 * (https://github.com/nats-io/nats-architecture-and-design, ADR-50). It refuses a batch with an event that it has
 * stored within its duplicate window. Takes two round trips instead of one for each event.
 *
 * @param producer the service named in the subjects
 * @param messages 2 to 1,000
 * @returns false if the broker refused the batch or did not answer in time; each event may be published again
 * @throws BrokerUnavailable
 */
export async function publishAtomically(
  bus: Bus,
  producer: string,
  messages: readonly EventMessage[],
): Promise<boolean> {
  const [first, ...others] = messages
  const last = others.pop()
  if (first === undefined || last === undefined) throw new RangeError('a batch has at least two events')
  const { broker, whileConnected } = bus.jetstream
  const subjectOf = ({ event }: EventMessage) => eventSubject(bus.shard, producer, event)
  const optionsOf = ({ event }: EventMessage) => ({
    headers: messageHeaders(event.id, streamName(bus.shard)),
    timeout: acknowledgementTimeoutMs,
  })
  try {
    const batch = await whileConnected(broker().client.startBatch(subjectOf(first), first.payload, optionsOf(first)))
    for (const message of others) batch.add(subjectOf(message), message.payload, optionsOf(message))
    await whileConnected(batch.commit(subjectOf(last), last.payload, optionsOf(last)))
    return true
  } catch (error) {
    if (error instanceof BrokerUnavailable) throw error
    return false
  }
}

/** Returns the headers by which the broker recognizes an event that it has, and refuses one of another stream. */
function messageHeaders(eventId: string, stream: string): MsgHdrs {
  const set = headers()
  set.set('Nats-Msg-Id', eventId)
  set.set('Nats-Expected-Stream', stream)
  return set
}
