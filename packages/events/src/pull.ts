import type { ConsumerInfo, JsMsg } from '@nats-io/jetstream'
import { BrokerAway } from './broker-away.ts'
import type { Bus } from './bus.ts'
import type { Slots } from './slots.ts'

/**
 * Pulls messages and hands each to `take`, never asking for more than there are free slots: what lay here waiting would
 * time out and be delivered again. Resolves when the signal is aborted.
 *
 * @throws BrokerAway when the broker is lost; the library's error when the consumer or its stream is gone or the
 *   broker's heartbeats stay out
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
  const lost = new AbortController()
  const forget = bus.onDisconnect(() => lost.abort())
  const ending = AbortSignal.any([signal, lost.signal])
  try {
    while (!ending.aborted) {
      await slots.roomy(ending)
      if (ending.aborted) break
      const messages = await consumer.fetch({ max_messages: slots.free, expires: 30_000, idle_heartbeat: heartbeatMs })
      const stop = () => messages.stop()
      ending.addEventListener('abort', stop)
      if (ending.aborted) stop()
      try {
        for await (const message of messages) slots.fill(take(message))
      } finally {
        ending.removeEventListener('abort', stop)
      }
    }
  } finally {
    forget()
  }
  if (lost.signal.aborted && !signal.aborted) throw new BrokerAway()
}
