import type { ConsumerInfo, ConsumerMessages, ConsumerNotification, JsMsg } from '@nats-io/jetstream'
import { BrokerAway } from './broker-away.ts'
import type { Bus } from './bus.ts'
import type { Slots } from './slots.ts'

/**
 * Pulls messages and hands each to `take` as soon as there is a slot. A few lie here ready, so that a slot never waits
 * for the broker; few enough that they are taken long before they would be delivered again. Resolves when the signal is
 * aborted; what then lies here is given back at once.
 *
 * @throws BrokerAway when the broker is lost; Error when the consumer or its stream is gone, or heartbeats stay out
 */
export async function pull(options: {
  bus: Bus
  consumer: ConsumerInfo
  slots: Slots
  heartbeatMs: number
  signal: AbortSignal
  take: (message: JsMsg) => Promise<void>
}): Promise<void> {
  const { bus, slots, heartbeatMs, signal, take } = options
  const consumer = bus.jetstream.broker().client.consumers.getConsumerFromInfo(options.consumer)
  const ready = Math.max(16, 4 * slots.size)
  const messages = await consumer.consume({
    max_messages: ready,
    threshold_messages: ready / 2,
    expires: 30_000,
    idle_heartbeat: heartbeatMs,
    abort_on_missing_resource: true,
  })
  const lost = new AbortController()
  const forget = bus.onDisconnect(() => lost.abort())
  const ending = AbortSignal.any([signal, lost.signal])
  const stop = () => messages.stop()
  ending.addEventListener('abort', stop)
  if (ending.aborted) stop()
  let heldBackUntil = 0
  // While slots are waited for nothing is asked of the broker, so it gives no sign of life either.
  const watched = stopWhenGone(messages, () => slots.full || performance.now() < heldBackUntil)
  try {
    for await (const message of messages) {
      if (ending.aborted) message.nak()
      else slots.fill(take(message))
      if (!slots.full) continue
      await slots.room(ending)
      heldBackUntil = performance.now() + 2 * heartbeatMs
    }
  } finally {
    forget()
    ending.removeEventListener('abort', stop)
    await watched
  }
  if (lost.signal.aborted && !signal.aborted) throw new BrokerAway()
}

/** The library would go on asking for what is no longer there; making it anew is the consumer's part. */
async function stopWhenGone(messages: ConsumerMessages, isHeldBack: () => boolean): Promise<void> {
  for await (const { type } of messages.status()) {
    if (!gone.has(type) || (type === 'heartbeats_missed' && isHeldBack())) continue
    messages.stop(new Error(type.replaceAll('_', ' ')))
  }
}

const gone: ReadonlySet<ConsumerNotification['type']> = new Set([
  'no_responders',
  'heartbeats_missed',
  'consumer_deleted',
  'consumer_not_found',
  'stream_not_found',
])
