import type { Database } from '@wp/database'
import { type Backoff, createLoop, type Log, type PassResult, type Worker } from '@wp/runtime'

/** A function that is called again and again in every replica, never twice at once in one of them. */
export interface Schedule {
  name: string
  /** Longest pause between passes, jittered. */
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
export function createScheduleWorker(
  { name, everyMs: pollMs, wakeQueue, backoff, pass }: Schedule,
  { database, log }: { database: Pick<Database, 'onWake'>; log: Log },
): Worker {
  const loop = createLoop({ name, pass, pollMs, log, ...(backoff === undefined ? {} : { backoff }) })
  if (wakeQueue === undefined) return loop
  let unsubscribe = () => {}
  return {
    name,
    async start() {
      unsubscribe = database.onWake((queue) => {
        if (queue === wakeQueue) loop.wake()
      })
      await loop.start()
    },
    async stop() {
      unsubscribe()
      await loop.stop()
    },
  }
}
