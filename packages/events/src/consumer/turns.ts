import { type BatchLimits, createBatcher } from './batcher.ts'
import { type EventProcessor, processAllSteps } from './event-processor.ts'

export interface Turns {
  process: EventProcessor['process']
  /** Returns the events that are not processed soon to the broker. */
  stop(): void
}

/** Time in which a stopping consumer still processes the events that wait for a turn. */
const drainMs = 5_000

/**
 * Processes events step by step, with turns by workspace: of each workspace one step is in progress at most, and the
 * steps of others come before its next one. So neither an event with a large effect nor many events of one workspace
 * delay the events of another.
 *
 * @param limits a step is a batch
 */
export function createTurns(processBatch: EventProcessor['processBatch'], limits: BatchLimits): Turns {
  let drainUntil = Number.POSITIVE_INFINITY
  const takeTurn = createBatcher(
    async (batch, options) =>
      performance.now() > drainUntil ? batch.map(() => ({ retryMs: 0 })) : await processBatch(batch, options),
    limits,
  )
  return {
    process: processAllSteps(takeTurn),
    stop() {
      drainUntil = performance.now() + drainMs
    },
  }
}
