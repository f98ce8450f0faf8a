import type { ConsumerInfo, ConsumerMessages, ConsumerNotification, JsMsg } from '@nats-io/jetstream'
import { waitAtMost } from '@wp/runtime'
import type { Bus } from '../bus/bus.ts'
import type { CircuitPause } from './circuit-pause.ts'
import type { Semaphore } from './semaphore.ts'

/** How long a stopping consumer goes on taking what lies ready; what is left then is given back. */
const drainMs = 5_000

/**
 * Pulls messages and hands each to `take` as soon as there is a slot. A few lie here ready, so that a slot never waits
 * for the broker; few enough that they are taken long before they would be delivered again. While resting nothing is
 * taken, and so nothing more is asked for. Resolves when the signal is aborted or the broker is lost, once what lay
 * ready is taken.
 *
 * @throws BrokerAway when it is away from the start; Error when consumer or stream are gone, or heartbeats stay out
 */
export async function pull(options: {
  bus: Bus
  consumer: ConsumerInfo
  semaphore: Semaphore
  circuit: CircuitPause
  heartbeatMs: number
  signal: AbortSignal
  handleMessage: (message: JsMsg) => Promise<void>
}): Promise<void> {
  const { bus, semaphore: slots, circuit: rest, heartbeatMs, signal, handleMessage: take } = options
  const consumer = bus.jetstream.broker().client.consumers.getConsumerFromInfo(options.consumer)
  const maxReady = Math.max(16, 4 * slots.size)
  const messages = await consumer.consume({
    max_messages: maxReady,
    threshold_messages: maxReady / 2,
    expires: 30_000,
    idle_heartbeat: heartbeatMs,
    abort_on_missing_resource: true,
  })
  let drainUntil = Number.POSITIVE_INFINITY
  let idleExpectedUntil = 0
  const removeListener = bus.onDisconnect(() => messages.stop())
  const startDraining = () => {
    drainUntil = performance.now() + drainMs
    drain(messages)
  }
  signal.addEventListener('abort', startDraining)
  if (signal.aborted) startDraining()
  // Nothing is asked of the broker while nothing is taken, so it gives no sign of life either.
  const watched = stopOnMissingResource(
    messages,
    () => slots.isFull || rest.isPaused || performance.now() < idleExpectedUntil,
  )
  try {
    for await (const message of messages) {
      if (signal.aborted && (rest.isPaused || performance.now() > drainUntil)) message.nak()
      else slots.hold(take(message))
      if (!slots.isFull && !rest.isPaused) continue
      await slots.untilFree()
      await rest.untilClosed(signal)
      idleExpectedUntil = performance.now() + 2 * heartbeatMs
    }
  } finally {
    removeListener()
    signal.removeEventListener('abort', startDraining)
    await watched
  }
}

/**
 * Ends a pull and lets what is on its way arrive. The library's own stop would drop it, and it would be delivered again
 * only when its time for acknowledgement is over. Giving everything back at once is no way either: nats-server 2.9
 * forgets, for as long, a message that it offers anew to a pull that has just ended.
 */
function drain(messages: ConsumerMessages): void {
  // The class has the field, its public type does not; a drained subscription is an end the library provides for.
  const { sub } = messages as unknown as { sub?: { drain(): Promise<void> } }
  void waitAtMost(500, sub?.drain() ?? Promise.resolve()).then(() => messages.stop())
}

/** The library would go on asking for what is no longer there; making it anew is the consumer's part. */
async function stopOnMissingResource(messages: ConsumerMessages, isIdleExpected: () => boolean): Promise<void> {
  for await (const { type } of messages.status()) {
    if (!fatalNotifications.has(type) || (type === 'heartbeats_missed' && isIdleExpected())) continue
    messages.stop(new Error(type.replaceAll('_', ' ')))
  }
}

const fatalNotifications: ReadonlySet<ConsumerNotification['type']> = new Set([
  'no_responders',
  'heartbeats_missed',
  'consumer_deleted',
  'consumer_not_found',
  'stream_not_found',
])
