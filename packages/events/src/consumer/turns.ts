import { createBatcher } from './batcher.ts'
import { type EventProcessor, processAllParts } from './event-processor.ts'

export interface Turns {
  process: EventProcessor['process']
  /** Returns the events that are not processed soon to the broker. */
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
    async (batch) => (performance.now() > drainUntil ? batch.map(() => ({ retryMs: 0 })) : await processBatch(batch)),
    { maxConcurrent, maxBatchSize: 1 },
  )
  return {
    process: processAllParts(takeTurn),
    stop() {
      drainUntil = performance.now() + drainMs
    },
  }
}
