import type { JsMsg } from '@nats-io/jetstream'
import { backoffMs, type Log, pause, type Worker } from '@wp/runtime'
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
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<void> | undefined

  async function pullOnce(): Promise<void> {
    await circuit.untilClosed(signal)
    await untilConnected(bus, signal)
    if (signal.aborted) return
    const { consumer, streamCreatedAt } = await ensureDurableConsumer(bus, durable)
    const handle = (message: JsMsg) => handleMessage(message, streamCreatedAt)
    await pull({ bus, consumer, semaphore, circuit, heartbeatMs, signal, handleMessage: handle })
  }

  async function run(): Promise<void> {
    let failures = 0
    while (!signal.aborted) {
      const startedAt = performance.now()
      try {
        await pullOnce()
        failures = 0
      } catch (error) {
        // A pull that ran for longer than the maximum pause was healthy.
        failures = performance.now() - startedAt > backoff.maxMs ? 1 : failures + 1
        const pauseMs = Math.round(backoffMs(failures, backoff, Math.random()))
        log.warn(
          { event: 'consumer.restarted', err: error, consumer: durable.name, pauseMs },
          'consumer interrupted; restarting',
        )
        await pause(pauseMs, signal)
      }
    }
    await semaphore.untilIdle()
  }

  return {
    name: durable.name,
    async start() {
      running ??= run()
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
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
