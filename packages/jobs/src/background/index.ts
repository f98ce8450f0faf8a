export { type BackgroundWork, createBackgroundWorkers, type JobQueue } from './background.ts'
export { endedJobsRetention, platformRetention } from './platform-retention.ts'
export { createRetention, deleteExpired, type RetentionRule } from './retention.ts'
export { createScheduleWorker, type Schedule } from './schedule.ts'
