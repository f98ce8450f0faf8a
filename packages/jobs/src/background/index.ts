export {
  type BackgroundWork,
  createBackgroundWorkers,
  createScheduleWorker,
  type JobQueue,
  type Schedule,
} from './background.ts'
export {
  createRetention,
  deleteExpired,
  endedJobsRetention,
  platformRetention,
  type RetentionRule,
} from './retention.ts'
