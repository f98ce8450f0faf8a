import type { RetentionRule } from './retention.ts'

/** Retention of the platform tables, which every service has. */
export const platformRetention: readonly RetentionRule[] = [
  // Published events are kept a day longer than in the stream, to refill a stream whose storage was lost.
  { table: 'platform.outbox', column: 'published_at', period: '8 days' },
  // Inbox rows outlive any event that could be published again.
  { table: 'platform.inbox', column: 'received_at', period: '15 days' },
  { table: 'platform.idempotency', column: 'created_at', period: '24 hours' },
  // Failed attempts without a later one: the stream no longer has the event. Dead letters are kept until redriven.
  {
    table: 'platform.dead_events',
    column: 'failed_at',
    period: '15 days',
    condition: 'died_at IS NULL AND redrive_at IS NULL',
  },
  // A workspace without a turn counts as the one served least recently.
  { table: 'platform.job_turns', column: 'served_at', period: '1 day' },
  { table: 'platform.workspace_data_deletions', column: 'finished_at', period: '30 days' },
]

/** Retention of ended jobs, for a service that has their results in other tables. */
export const endedJobsRetention: RetentionRule = {
  table: 'platform.jobs',
  column: 'finished_at',
  period: '1 day',
  condition: `state IN ('finished', 'failed', 'cancelled')`,
}
