import type { IdPrefix } from '@wp/contracts'
import type { Database } from '@wp/database'
import type { Bus } from '@wp/events'
import { type Backoff, createLoop, type Log, type Metrics, type PassResult, type Worker } from '@wp/runtime'
import { createJobRunner, type JobRunnerOptions } from '../runner/runner.ts'
import { createRunEnqueuer } from '../schedules/run-enqueuer.ts'
import { createRetention, type RetentionRule } from './retention.ts'

/** The jobs of one queue, and how they are run. */
export type JobQueue = Omit<
  JobRunnerOptions<unknown>,
  'database' | 'bus' | 'service' | 'log' | 'metrics' | 'heartbeatMs' | 'pollMs'
> & {
  /**
   * Runs the calendar schedules of the queue (`putSchedule`): each enqueues a job with a CalendarInput, its resource as
   * subject and no caller, exactly once for each local date.
   */
  calendar?: {
    /** Prefix of the identifiers of these jobs. */
    idPrefix: IdPrefix
  }
}

/** Background work of a service, as data. */
export interface BackgroundWork {
  jobs?: readonly JobQueue[]
  retention?: readonly RetentionRule[]
  schedules?: readonly Schedule[]
}

interface Options {
  database: Database
  bus?: Bus | undefined
  service: string
  log: Log
  metrics: Metrics
}

/** Creates the workers that run the declared background work. */
export function createBackgroundWorkers(
  { jobs = [], retention = [], schedules = [] }: BackgroundWork,
  { bus, ...common }: Options,
): Worker[] {
  const calendars = jobs.flatMap(({ queue, calendar }) =>
    calendar === undefined ? [] : [[queue, calendar.idPrefix] as const],
  )
  const enqueuers =
    calendars.length === 0 ? [] : [createRunEnqueuer({ ...common, queues: Object.fromEntries(calendars) })]
  return [
    ...jobs.map((job) => createJobRunner({ ...common, ...job, ...(bus === undefined ? {} : { bus }) })),
    ...createRetention({ ...common, rules: retention }),
    ...[...schedules, ...enqueuers].map((schedule) => createScheduleWorker(schedule, common)),
  ]
}

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
