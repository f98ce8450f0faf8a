import type { ConsumerInfo, JsMsg } from '@nats-io/jetstream'
import type { Database } from '@wp/database'
import { backoffMs, type Log, type Metrics, noMetrics, pause, type Worker } from '@wp/runtime'
import type { Bus } from '../bus/bus.ts'
import { durableName, filterSubject, streamName } from '../bus/subject.ts'
import { createBatcher } from './batcher.ts'
import { createCircuitPause } from './circuit-pause.ts'
import { ensureDurableConsumer } from './durable-consumer.ts'
import {
  type BatchHandler,
  createEventProcessor,
  type EventAuthorization,
  type EventHandler,
  type EventProcessor,
} from './event-processor.ts'
import { createMessageHandler } from './message-handler.ts'
import { pull } from './pull.ts'
import { createRedriveLoop } from './redrive-loop.ts'
import { createSemaphore } from './semaphore.ts'

export interface ConsumerOptions<Client> {
  database: Database<Client>
  bus: Bus
  service: string
  /** What the events are for; with the service it names the consumer, so it must never change. */
  purpose: string
  kinds: readonly string[] | 'all'
  /** Where all the kinds come from one producer, the broker sends no others. */
  producer?: string
  handle: EventHandler<Client>
  /** What may not be handled is dead at once. Default: everything may. */
  authorize?: EventAuthorization
  /** Events under way at once in this process; each has a connection of the app pool. Default 2. */
  concurrency?: number
  log: Log
  metrics?: Metrics
  /** Failed tries that make an event dead. Default 5. */
  maxAttempts?: number
  /** Pauses before the second and further tries, in milliseconds. Short: what waits takes room from the rest. */
  retryMs?: readonly number[]
  /** Default 30,000. A handler that takes longer is joined by a second one, which waits for its inbox row. */
  ackWaitMs?: number
  /** The broker's sign of life while there is nothing; two missed end the pull. Default 5,000. */
  heartbeatMs?: number
  /** How often it is looked for events that were put back. Default 5,000. */
  redrivePollMs?: number
}

/** As `ConsumerOptions`, for what is worth handling together. `concurrency`: batches under way at once. */
export interface BatchConsumerOptions<Client> extends Omit<ConsumerOptions<Client>, 'handle'> {
  handle: BatchHandler<Client>
  /** Events of one batch. Default 100. */
  maxBatchSize?: number
}

export interface EventConsumer extends Worker {
  /**
   * The stream sequence up to which every event was settled, by all replicas: what needs order works below it.
   * @throws BrokerAway; the library's error when there is no such consumer yet
   */
  ackFloor(): Promise<number>
  /** The same with what else is to be known of it. @throws as `ackFloor` */
  watermark(): Promise<Watermark>
}

/** Up to where every event was settled. */
export interface Watermark {
  /** Since when there is the stream, as the broker writes it: one made anew counts from 1 again. */
  streamCreatedAt: string
  sequence: number
  /** Nothing lay in the stream above it. */
  isCaughtUp: boolean
}

/**
 * Handles events of the shard's stream, each exactly once in effect, by one transaction that holds the inbox row and
 * the effect, as the app role and in the event's workspace. A handler's error counts as a try, five make the event
 * dead. While database, broker or another service is away nothing is pulled and nothing counted.
 */
export function createConsumer<Client>(options: ConsumerOptions<Client>): EventConsumer {
  const { handle, concurrency = 2 } = options
  const handleEach: BatchHandler<Client> = async (deliveries, tx) => {
    for (const { event, meta } of deliveries) await handle(event, tx, meta)
  }
  return createConsumerWith({ ...options, handle: handleEach }, (processor) => processor.process, concurrency)
}

/**
 * As `createConsumer`, but what is delivered while others are being handled is handled together, the events of one
 * workspace in one transaction: for effects that are cheaper in numbers. Each event is still handled exactly once; one
 * that fails is tried, counted and set aside alone.
 */
export function createBatchConsumer<Client>(options: BatchConsumerOptions<Client>): EventConsumer {
  const { concurrency = 2, maxBatchSize = 100 } = options
  return createConsumerWith(
    options,
    ({ processBatch }) => createBatcher(processBatch, { maxConcurrent: concurrency, maxBatchSize }),
    concurrency * maxBatchSize,
  )
}

/** @param maxInFlight events taken at once, whether handled or waiting to be */
function createConsumerWith<Client>(
  options: BatchConsumerOptions<Client>,
  processBy: (processor: EventProcessor) => EventProcessor['process'],
  maxInFlight: number,
): EventConsumer {
  const { database, bus, service, purpose, kinds, producer, handle, authorize, log, metrics = noMetrics } = options
  const { maxAttempts = 5, retryMs = [250, 1_000, 2_000, 5_000] } = options
  const { ackWaitMs = 30_000, heartbeatMs = 5_000, redrivePollMs = 5_000 } = options
  const name = durableName(service, purpose)
  const filter = filterSubject(bus.shard, { kinds, ...(producer === undefined ? {} : { producer }) })
  const processor = createEventProcessor({
    database,
    service,
    consumer: name,
    handle,
    authorize,
    maxAttempts,
    retryMs,
    log,
    metrics,
  })
  const redriveLoop = createRedriveLoop({
    worker: database.worker,
    consumer: name,
    processor,
    pollMs: redrivePollMs,
    log,
  })
  const circuit = createCircuitPause(name, () => database.ping(), log)
  const semaphore = createSemaphore(maxInFlight)
  const messageProcessor = { process: processBy(processor), deadLetter: processor.deadLetter }
  const handleMessage = createMessageHandler({
    consumer: name,
    kinds,
    processor: messageProcessor,
    circuit,
    metrics,
  })
  const stopping = new AbortController()
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    let failures = 0
    while (!stopping.signal.aborted) {
      const startedAt = performance.now()
      try {
        await circuit.untilClosed(stopping.signal)
        await untilConnected(bus, stopping.signal)
        if (stopping.signal.aborted) break
        const { consumer, streamCreatedAt } = await ensureDurableConsumer(bus, { name, filter, ackWaitMs })
        const handleOne = (message: JsMsg) => handleMessage(message, streamCreatedAt)
        await pull({
          bus,
          consumer,
          semaphore,
          circuit,
          heartbeatMs,
          signal: stopping.signal,
          handleMessage: handleOne,
        })
        failures = 0
      } catch (error) {
        failures = performance.now() - startedAt > backoff.maxMs ? 1 : failures + 1
        const pauseMs = Math.round(backoffMs(failures, backoff, Math.random()))
        log.warn({ err: error, consumer: name, pauseMs }, 'a consumer was interrupted and begins anew')
        await pause(pauseMs, stopping.signal)
      }
    }
    await semaphore.untilIdle()
  }

  function info(): Promise<ConsumerInfo> {
    const { consumers } = bus.jetstream.broker().manager
    return bus.jetstream.whileConnected(consumers.info(streamName(bus.shard), name))
  }

  return {
    name,
    async start() {
      running ??= run()
      await redriveLoop.start()
    },
    async stop() {
      stopping.abort()
      await Promise.all([running, redriveLoop.stop()])
    },
    async ackFloor() {
      return (await info()).ack_floor.stream_seq
    },
    async watermark() {
      // The stream first: should it be made anew in between, the floor said of the old one is lower, never higher.
      const { streams } = bus.jetstream.broker().manager
      const { created } = await bus.jetstream.whileConnected(streams.info(streamName(bus.shard)))
      const { ack_floor, num_pending, num_ack_pending } = await info()
      const isAll = num_pending === 0 && num_ack_pending === 0
      return { streamCreatedAt: created, sequence: ack_floor.stream_seq, isCaughtUp: isAll }
    },
  }
}

const backoff = { firstMs: 100, maxMs: 10_000 }

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
