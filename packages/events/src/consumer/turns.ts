import { createBatcher } from './batcher.ts'
import type { EventProcessor, ProcessingResult } from './event-processor.ts'

export interface Turns {
  process: EventProcessor['process']
  /** Returns events that are not processed within `drainMs` to the broker, after the part in progress. */
  stop(): void
}

/** Time in which a stopping consumer still processes the events that wait for a turn. */
const drainMs = 5_000

/**
 * Processes events part by part, with turns by workspace: of each workspace one part is in progress at most, and the
 * parts of others come before its next one. So neither an event with a large effect nor many events of one workspace
 * delay the events of another.
 *
 * @param maxConcurrent maximum number of parts in progress
 */
export function createTurns(processBatch: EventProcessor['processBatch'], maxConcurrent: number): Turns {
  let drainUntil = Number.POSITIVE_INFINITY
  const takeTurn = createBatcher(
    async (batch): Promise<ProcessingResult[]> =>
      performance.now() > drainUntil ? batch.map(() => ({ retryMs: 0 })) : await processBatch(batch),
    { maxConcurrent, maxBatchSize: 1 },
  )
  return {
    async process(event, metadata) {
      let result: ProcessingResult = 'more'
      while (result === 'more') result = await takeTurn(event, metadata)
      return result
    },
    stop() {
      drainUntil = performance.now() + drainMs
    },
  }
}
