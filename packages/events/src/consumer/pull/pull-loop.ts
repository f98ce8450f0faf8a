import type { JsMsg } from '@nats-io/jetstream'
import { createLoop, type Log, type Worker } from '@wp/runtime'
import type { Bus } from '../../bus/bus.ts'
import type { CircuitPause } from './circuit-pause.ts'
import { type DurableConsumer, ensureDurableConsumer } from './durable-consumer.ts'
import { pull } from './pull.ts'
import type { Semaphore } from './semaphore.ts'

const backoff = { firstMs: 100, maxMs: 10_000 }

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
