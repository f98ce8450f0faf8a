import type { ConsumerInfo, ConsumerMessages, ConsumerNotification, JsMsg } from '@nats-io/jetstream'
import { createLoop, type Log, type Worker, waitAtMost } from '@wp/runtime'
import type { Bus } from '../../bus/bus.ts'
import type { CircuitPause } from './circuit-pause.ts'
import { type DurableConsumer, ensureDurableConsumer, maxAckPending } from './durable-consumer.ts'
import type { Semaphore } from './semaphore.ts'

const backoff = { firstMs: 100, maxMs: 10_000 }

/** Time in which a stopping consumer still handles buffered messages; the rest is returned to the broker. */
const drainMs = 5_000

/**
 * Pulls messages and passes each to `handleMessage` as soon as the semaphore allows. A few messages are buffered, so
 * that a handler never waits for the broker, but few enough to be handled long before their redelivery. While the
 * circuit is paused nothing is handled, and therefore no more messages are requested. Resolves when the signal is
 * aborted or the broker connection is lost, after the buffered messages have been handled.
 *
 * @throws BrokerUnavailable if there is no connection at the start; Error if the consumer or the stream is missing, or
 *   heartbeats are missed
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
  const { bus, semaphore, circuit, heartbeatMs, signal, handleMessage } = options
  const consumer = bus.jetstream.broker().client.consumers.getConsumerFromInfo(options.consumer)
  // The broker hands out `maxAckPending` messages at once, which replicas should share.
  const maxBuffered = Math.max(16, Math.min(4 * semaphore.size, maxAckPending / 4))
  const messages = await consumer.consume({
    max_messages: maxBuffered,
    threshold_messages: Math.floor(maxBuffered / 2),
    expires: 60_000, // heartbeats show earlier that the broker has lost the request
    idle_heartbeat: heartbeatMs,
    abort_on_missing_resource: true,
  })
  let drainUntil = Number.POSITIVE_INFINITY
  let silenceExpectedUntil = 0
  const removeListener = bus.onDisconnect(() => messages.stop())
  const startDraining = () => {
    drainUntil = performance.now() + drainMs
    drain(messages)
  }
  signal.addEventListener('abort', startDraining)
  if (signal.aborted) startDraining()
  // While no messages are requested the broker sends no heartbeats either.
  const isSilenceExpected = () => semaphore.isFull || circuit.isPaused || performance.now() < silenceExpectedUntil
  const statusWatch = stopOnMissingResource(messages, isSilenceExpected)
  try {
    for await (const message of messages) {
      if (signal.aborted && (circuit.isPaused || performance.now() > drainUntil)) message.nak()
      else semaphore.hold(handleMessage(message))
      if (!semaphore.isFull && !circuit.isPaused) continue
      await semaphore.untilFree()
      await circuit.untilClosed(signal)
      silenceExpectedUntil = performance.now() + 2 * heartbeatMs
    }
  } finally {
    removeListener()
    signal.removeEventListener('abort', startDraining)
    await statusWatch
  }
}

/**
 * Ends a pull after the messages in transit have arrived. The library's `stop` alone drops them, so that they are
 * redelivered only after the ack wait. Returning all of them with a nak does not help: nats-server 2.9 delays a message
 * for the ack wait if it redelivers it to a pull that has just ended.
 */
function drain(messages: ConsumerMessages): void {
  // `sub` exists on the class but not in its public type; draining the subscription is a supported way to end it.
  const { sub } = messages as unknown as { sub?: { drain(): Promise<void> } }
  void waitAtMost(500, sub?.drain() ?? Promise.resolve()).then(() => messages.stop())
}

/**
 * Stops the pull, with an error, where the library would keep requesting messages; the pull loop recreates resources.
 */
async function stopOnMissingResource(messages: ConsumerMessages, isSilenceExpected: () => boolean): Promise<void> {
  for await (const { type } of messages.status()) {
    if (!fatalNotifications.has(type) || (type === 'heartbeats_missed' && isSilenceExpected())) continue
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

interface PullLoopOptions {
  bus: Bus
  durable: DurableConsumer
  circuit: CircuitPause
  semaphore: Semaphore
  heartbeatMs: number
  handleMessage: (message: JsMsg, streamCreatedAt: string) => Promise<void>
  log: Log
}

/** Creates a worker that keeps a pull running: waits for the broker, ensures the durable consumer, and restarts. */
export function createPullLoop(options: PullLoopOptions): Worker {
  const { bus, durable, circuit, semaphore, heartbeatMs, handleMessage, log } = options

  async function pass(signal: AbortSignal): Promise<'more'> {
    await circuit.untilClosed(signal)
    await untilConnected(bus, signal)
    if (signal.aborted) return 'more'
    const { consumer, streamCreatedAt } = await ensureDurableConsumer(bus, durable)
    const handle = (message: JsMsg) => handleMessage(message, streamCreatedAt)
    await pull({ bus, consumer, semaphore, circuit, heartbeatMs, signal, handleMessage: handle })
    return 'more'
  }

  const { name } = durable
  return createLoop({ name, pass, pollMs: backoff.maxMs, backoff, onStopped: () => semaphore.untilIdle(), log })
}

function untilConnected(bus: Bus, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (bus.isConnected || signal.aborted) return resolve()
    const finish = () => {
      removeListener()
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const removeListener = bus.onConnect(finish)
    signal.addEventListener('abort', finish)
  })
}
