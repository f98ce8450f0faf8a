import type { DomainEvent } from '@wp/contracts'
import { isInfrastructureError } from '../infrastructure-error.ts'
import { createFailureRecorder, type FailureRecorderOptions } from './failure-recorder.ts'
import type { HandledBatch } from './inbox/inbox.ts'
import type { EventAuthorization, EventMetadata, ReceivedEvent } from './received-event.ts'

export interface EventProcessorOptions extends FailureRecorderOptions {
  /** Handles those of the events that were not handled before, in one transaction. */
  handleNewEvents: (batch: readonly ReceivedEvent[], options: BatchOptions) => Promise<HandledBatch>
  authorize?: EventAuthorization | undefined
}

/**
 * `processed`: handled now or before, or a dead letter; the message can be acknowledged. `more`: a step of the effect
 * is committed, process the event again for the next one. Otherwise retry later.
 */
export type ProcessingResult = 'processed' | 'more' | { retryMs: number }

/** `isShared`: the events may be of several workspaces, and those that are left unfinished follow in batches of one. */
export interface BatchOptions {
  isShared: boolean
}

export interface EventProcessor {
  /** Processes all steps of an event. @throws the error of the infrastructure; such an attempt is not counted */
  process(event: DomainEvent, metadata: EventMetadata): Promise<Exclude<ProcessingResult, 'more'>>
  /**
   * Processes events in one transaction; of one workspace, unless the handler is a `BulkHandler` or
   * `SharedBatchHandler`. If it fails, each event gets its own transaction, so that a failing event does not affect the
   * others.
   *
   * @returns one result per event
   * @throws as `process`
   */
  processBatch(batch: readonly ReceivedEvent[], options?: BatchOptions): Promise<ProcessingResult[]>
  /** Records a message that is not a valid event as a dead letter. @throws the error of the infrastructure */
  deadLetter(id: string, content: unknown, metadata: EventMetadata, defect: string): Promise<void>
}

/** Creates a processor that applies each event exactly once and counts failed attempts. */
export function createEventProcessor(options: EventProcessorOptions): EventProcessor {
  const { handleNewEvents, consumer, authorize, log, metrics } = options
  const failures = createFailureRecorder(options)

  async function processBatch(
    batch: readonly ReceivedEvent[],
    options: BatchOptions = { isShared: false },
  ): Promise<ProcessingResult[]> {
    const authorized: ReceivedEvent[] = []
    for (const received of batch) {
      const reason = authorize?.(received.event, received.metadata)
      if (reason === undefined) authorized.push(received)
      else await failures.recordUnauthorized(received, reason)
    }
    const retries = authorized.length === 0 ? new Map() : await processAuthorized(authorized, options)
    return batch.map((received) => retries.get(received) ?? 'processed')
  }

  /** @returns the events to retry or to continue */
  async function processAuthorized(
    batch: readonly ReceivedEvent[],
    options: BatchOptions,
  ): Promise<Map<ReceivedEvent, ProcessingResult>> {
    const startedAt = performance.now()
    try {
      const { handled, unfinished } = await handleNewEvents(batch, options)
      metrics.count('events_handled_total', { consumer, outcome: 'handled' }, handled)
      metrics.count('events_handled_total', { consumer, outcome: 'seen' }, batch.length - handled - unfinished.length)
      return new Map(unfinished.map((received) => [received, 'more']))
    } catch (error) {
      const [first, ...others] = batch
      if (isInfrastructureError(error) || first === undefined) throw error
      if (others.length === 0) {
        const retry = await failures.recordAttempt(first, error)
        return new Map(retry === undefined ? [] : [[first, retry]])
      }
      log.warn(
        { event: 'event_batch.failed', err: error, consumer, events: batch.length },
        'event batch failed; processing its events one by one',
      )
    } finally {
      metrics.observe('events_handling_seconds', (performance.now() - startedAt) / 1000, { consumer })
    }
    const retries = new Map<ReceivedEvent, ProcessingResult>()
    for (const received of batch)
      for (const [failed, retry] of await processAuthorized([received], { isShared: false })) retries.set(failed, retry)
    return retries
  }

  return {
    process: processAllSteps(async (event, metadata) => {
      const [result = 'processed'] = await processBatch([{ event, metadata }])
      return result
    }),
    processBatch,
    deadLetter: failures.recordMalformed,
  }
}

/** Returns a function that repeats `processStep` until the event is processed or must be retried. */
export const processAllSteps =
  (
    processStep: (event: DomainEvent, metadata: EventMetadata) => Promise<ProcessingResult>,
  ): EventProcessor['process'] =>
  async (event, metadata) => {
    let result: ProcessingResult = 'more'
    while (result === 'more') result = await processStep(event, metadata)
    return result
  }
