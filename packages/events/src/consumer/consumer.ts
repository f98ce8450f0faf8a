import { noMetrics, type Worker } from '@wp/runtime'
import { durableName, filterSubject } from '../bus/subject.ts'
import { createBatcher } from './batcher.ts'
import type { BatchConsumerOptions, BulkConsumerOptions, ConsumerOptions } from './consumer-options.ts'
import { createDeferral } from './deferral.ts'
import { type BatchOptions, createEventProcessor, type EventProcessor, processAllSteps } from './event-processor.ts'
import { type HandledBatch, handleNewEvents, handleNewEventsInBulk } from './inbox/inbox.ts'
import { handleSharedBatch } from './inbox/shared-batch.ts'
import { createMessageHandler } from './message-handler.ts'
import { createCircuitPause } from './pull/circuit-pause.ts'
import { defaultAckWaitMs } from './pull/durable-consumer.ts'
import { createPullLoop } from './pull/pull.ts'
import { createSemaphore } from './pull/semaphore.ts'
import type { BatchHandler, ReceivedEvent } from './received-event.ts'
import { createRedriveLoop } from './redrive-loop.ts'
import { createTurns } from './turns.ts'
import { readWatermark, type Watermark } from './watermark.ts'

export interface EventConsumer extends Worker {
  /**
   * Returns the stream position up to which all events have been acknowledged, by any replica.
   *
   * @throws BrokerUnavailable; JetStreamApiError if the consumer does not exist yet
   */
  watermark(): Promise<Watermark>
}

/** Part of the events in progress that may be of one workspace: a quarter. */
const workspaceShareDivisor = 4

/**
 * Creates a consumer that handles the events of the shard's stream, each exactly once: the effect and the inbox row are
 * written in one transaction of the app role, in the event's workspace. A handler error counts as a failed attempt;
 * after `maxAttempts` the event becomes a dead letter. While the database, the broker or another service is
 * unavailable, the consumer pauses and counts nothing.
 */
export function createConsumer<Client>(options: ConsumerOptions<Client>): EventConsumer {
  const { handle, concurrency = 2, maxWaiting } = options
  const handleOne: BatchHandler<Client> = async ([received], tx) => {
    if (received === undefined) return
    if ((await handle(received.event, tx, received.metadata)) === 'more') return [received]
  }
  return createConsumerWith(options, handleEach({ ...options, handle: handleOne }), (processor) =>
    maxWaiting === undefined
      ? { process: processor.process, maxInFlight: concurrency }
      : scheduleTurns(processor, { ...options, concurrency, maxWaiting, maxBatchSize: 1 }),
  )
}

/**
 * As `createConsumer`, but events that arrive while others are being handled are handled together, the events of one
 * workspace in one transaction, with `shared` also those of several. For effects that are cheaper in batches. Each
 * event is still handled exactly once, and a failing event is retried, counted and dead-lettered on its own.
 */
export function createBatchConsumer<Client>(options: BatchConsumerOptions<Client>): EventConsumer {
  const { concurrency = 2, maxBatchSize = 100, maxWaiting, shared } = options
  const handleSeparate = handleEach(options)
  const handleBatch: HandleNewEvents = (consumer, batch, { isShared }) =>
    shared === undefined || !isShared
      ? handleSeparate(consumer, batch)
      : handleSharedBatch({ ...options, consumer, prepare: shared.prepare }, batch)
  return createConsumerWith(options, handleBatch, (processor) =>
    maxWaiting === undefined
      ? {
          process: processAllSteps(createBatcher(processor.processBatch, { maxConcurrent: concurrency, maxBatchSize })),
          maxInFlight: concurrency * maxBatchSize,
        }
      : scheduleTurns(processor, {
          ...options,
          concurrency,
          maxWaiting,
          maxBatchSize,
          maxShared: shared?.concurrency ?? 0,
        }),
  )
}

/**
 * As `createBatchConsumer`, but the events of all workspaces are handled together, one batch at a time, in a
 * transaction of the worker role. For effects that one statement has for many workspaces, such as adding to totals. The
 * handler must write rows in one order (sorted by key), so that replicas do not deadlock.
 */
export function createBulkConsumer<Client>(options: BulkConsumerOptions<Client>): EventConsumer {
  const { database, handle, maxBatchSize = 250 } = options
  const handleBatch: HandleNewEvents = (consumer, batch) => handleNewEventsInBulk({ database, consumer, handle }, batch)
  const batching = { maxConcurrent: 1, maxBatchSize, groupOf: () => '' }
  return createConsumerWith(options, handleBatch, ({ processBatch }) => ({
    process: processAllSteps(createBatcher(processBatch, batching)),
    maxInFlight: maxBatchSize,
  }))
}

type HandleNewEvents = (
  consumer: string,
  batch: readonly ReceivedEvent[],
  options: BatchOptions,
) => Promise<HandledBatch>

/** Handles events of one workspace through the app role. */
const handleEach =
  <Client>({
    database,
    bus: { shard },
    service,
    handle,
  }: Pick<BatchConsumerOptions<Client>, 'database' | 'bus' | 'service' | 'handle'>) =>
  (consumer: string, batch: readonly ReceivedEvent[]): Promise<HandledBatch> =>
    handleNewEvents({ database, shard, service, consumer, handle }, batch)

/** Decides when the messages taken from the broker are processed. */
interface Scheduler {
  process: EventProcessor['process']
  /** Messages handed to `process` at once. */
  maxInFlight: number
  /** Events of one workspace in progress at once; further ones are deferred. Default: unlimited. */
  maxPerWorkspace?: number
  stop?(): void
}

/** Lets the workspaces take turns, with a limit of the events of each. */
const scheduleTurns = (
  { processBatch }: EventProcessor,
  options: { concurrency: number; maxWaiting: number; maxBatchSize: number; maxShared?: number },
): Scheduler => {
  const { concurrency, maxWaiting, maxBatchSize, maxShared = 0 } = options
  return {
    ...createTurns(processBatch, { maxConcurrent: concurrency, maxBatchSize, maxShared }),
    maxInFlight: maxWaiting,
    maxPerWorkspace: Math.max(1, Math.floor(maxWaiting / workspaceShareDivisor)),
  }
}

function createConsumerWith<Client>(
  options: Omit<ConsumerOptions<Client>, 'handle' | 'maxWaiting' | 'concurrency'>,
  handleNew: HandleNewEvents,
  createScheduler: (processor: EventProcessor) => Scheduler,
): EventConsumer {
  const { database, bus, service, purpose, kinds, producer, authorize, log, metrics = noMetrics } = options
  const { maxAttempts = 5, retryMs = [250, 1_000, 2_000, 5_000] } = options
  const { ackWaitMs = defaultAckWaitMs, heartbeatMs = 10_000, redrivePollMs = 30_000, deferredPollMs = 5_000 } = options
  const { worker } = database
  const name = durableName(service, purpose)
  const filter = filterSubject(bus.shard, { kinds, ...(producer === undefined ? {} : { producer }) })
  const recording = { worker, consumer: name, maxAttempts, retryMs, log, metrics }
  const processor = createEventProcessor({
    handleNewEvents: (batch, options) => handleNew(name, batch, options),
    authorize,
    ...recording,
  })
  const { maxInFlight, maxPerWorkspace, ...scheduler } = createScheduler(processor)
  const deferral =
    maxPerWorkspace === undefined
      ? undefined
      : createDeferral({
          worker,
          consumer: name,
          process: scheduler.process,
          maxPerWorkspace,
          pollMs: deferredPollMs,
          log,
          metrics,
        })
  const circuit = createCircuitPause(name, () => database.ping(), log)
  const handleMessage = createMessageHandler({
    consumer: name,
    kinds,
    isWanted: options.isWanted,
    circuit,
    metrics,
    tracing: database.tracing,
    progressMs: ackWaitMs / 3,
    processor: { process: deferral?.process ?? scheduler.process, deadLetter: processor.deadLetter },
  })
  const semaphore = createSemaphore(maxInFlight)
  const durable = { name, filter, ackWaitMs }
  const pullLoop = createPullLoop({ bus, durable, circuit, semaphore, heartbeatMs, handleMessage, log })
  const redriveLoop = createRedriveLoop({ worker, consumer: name, processor, pollMs: redrivePollMs, log })
  const workers = [pullLoop, redriveLoop, ...(deferral === undefined ? [] : [deferral.worker])]

  return {
    name,
    async start() {
      await Promise.all(workers.map((each) => each.start()))
    },
    async stop() {
      scheduler.stop?.()
      await Promise.all(workers.map((each) => each.stop()))
    },
    watermark: () => readWatermark(bus, name),
  }
}
