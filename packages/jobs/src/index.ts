export { enqueue, JobConflict, type NewJob } from './queue/enqueue.ts'
export { getJob, type Job, type JobKey, jobFields, type QuerySource } from './queue/job.ts'
export { findExclusiveJob, lockJob, mergeJobInput } from './queue/job-access.ts'
export type { Checkpoint } from './queue/job-transitions.ts'
export {
  cancelJob,
  cancelQueuedJobs,
  deleteJob,
  LeaseLost,
  type QueuedJobFilter,
  resumeJob,
} from './queue/job-transitions.ts'
export { releaseLeases } from './queue/leases.ts'
export {
  type JobFilter,
  jobConditions,
  joinJobs,
  listJobs,
  readJobResults,
} from './queue/list-jobs.ts'
export { type InterruptionReason, JobInterrupted } from './runner/active-lease.ts'
export { JobFailure } from './runner/failure.ts'
export type { JobControl } from './runner/job-control.ts'
export { createJobRunner, type JobRunnerOptions } from './runner/runner.ts'
export { type CalendarRule, type CalendarRun, nextRun } from './schedules/calendar-runs.ts'
export {
  listNextRuns,
  type NewSchedule,
  putSchedule,
  removeSchedule,
  type ScheduleKey,
} from './schedules/calendar-schedule.ts'
export { cronError, nextCronRun } from './schedules/cron.ts'
export type { CalendarInput } from './schedules/run-enqueuer.ts'
