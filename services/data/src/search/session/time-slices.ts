import { setImmediate as nextIteration } from 'node:timers/promises'

/** Longest computation of a search without a pause, in milliseconds. */
const sliceMs = 5

/** The time slices of one search. */
export interface TimeSlice {
  /** Returns true if the computation should pause. */
  isOver(): boolean
  /** Starts a new slice, after a wait for something else than the processor. */
  restart(): void
  /** Pauses, so that other requests of the process are served, and starts a new slice. */
  next(): Promise<void>
}

/** Creates the time slices of searches. */
export type TimeSlices = () => TimeSlice

/**
 * Divides the processor between the searches and the other requests of a process: in each iteration of the event loop,
 * one paused search continues. Otherwise many searches together would delay other requests by many slices.
 * @param now milliseconds, monotonic
 */
export function createTimeSlices(now: () => number = () => performance.now()): TimeSlices {
  let lastTurn: Promise<unknown> = Promise.resolve()
  return () => {
    let startedAt = now()
    const restart = () => {
      startedAt = now()
    }
    return {
      isOver: () => now() - startedAt >= sliceMs,
      restart,
      async next() {
        const turn = lastTurn.then(() => nextIteration())
        lastTurn = turn
        await turn
        restart()
      },
    }
  }
}
