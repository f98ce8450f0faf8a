import type { Database } from '@wp/database'
import type { Bus } from '@wp/events'
import type { Log, Metrics, Worker } from '@wp/runtime'
import { createJobRunner, type JobRunnerOptions } from '../runner/runner.ts'
import { createRetention, type RetentionRule } from './retention.ts'
import { createScheduleWorker, type Schedule } from './schedule.ts'

/** The jobs of one queue, and how they are run. */
export type JobQueue = Omit<
  JobRunnerOptions<unknown>,
  'database' | 'bus' | 'service' | 'log' | 'metrics' | 'heartbeatMs' | 'pollMs'
>

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
  return [
    ...jobs.map((job) => createJobRunner({ ...common, ...job, ...(bus === undefined ? {} : { bus }) })),
    ...createRetention({ ...common, rules: retention }),
    ...schedules.map((schedule) => createScheduleWorker(schedule, common)),
  ]
}
