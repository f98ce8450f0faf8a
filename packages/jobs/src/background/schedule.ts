import type { Database } from '@wp/database'
import { type Backoff, createLoop, type Log, type PassResult, type Worker } from '@wp/runtime'

/** A function that is called again and again in every replica, never twice at once in one of them. */
export interface Schedule {
  name: string
  /** Pause after a pass that returned `idle`, jittered. */
  everyMs: number
  /** Queue whose wake-ups of the database request a pass at once. */
  wakeQueue?: string
  /** Pauses after failed passes. Default 100 ms doubling to 5 s. */
  backoff?: Backoff
  /**
   * Does the work that is due. What must happen once is claimed in the transaction that does it, since other replicas
   * run the same passes.
   */
  pass(signal: AbortSignal): Promise<PassResult>
}

/** Creates the worker that runs the passes of a schedule. */
export const createScheduleWorker = (
  { everyMs: pollMs, wakeQueue, ...schedule }: Schedule,
  { database, log }: { database: Pick<Database, 'onWake'>; log: Log },
): Worker =>
  createLoop({
    ...schedule,
    pollMs,
    subscribe: (wake) => (wakeQueue === undefined ? [] : [database.onWake((queue) => queue === wakeQueue && wake())]),
    log,
  })
