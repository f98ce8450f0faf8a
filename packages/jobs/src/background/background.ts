import type { IdPrefix } from '@wp/contracts'
import type { Database } from '@wp/database'
import type { Bus } from '@wp/events'
import type { Log, Metrics, Worker } from '@wp/runtime'
import { createJobRunner, type JobRunnerOptions } from '../runner/runner.ts'
import { createRunEnqueuer } from '../schedules/run-enqueuer.ts'
import { createRetention, type RetentionRule } from './retention.ts'
import { createScheduleWorker, type Schedule } from './schedule.ts'

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
