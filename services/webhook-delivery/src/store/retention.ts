import { maxStatisticsDays } from '@wp/contracts'
import type { RetentionRule } from '@wp/jobs/background'
import { destinationQueue } from './destinations/progress.ts'

/** Rows deleted by one statement. A delivery has attempts, which are deleted with it. */
const batchRows = 500

/** Returns the retention of deliveries, with their attempts, after some days, and of the hourly counts. */
export const retentionRules = (deliveryDays: number): RetentionRule[] => [
  {
    table: 'deliveries',
    column: 'created_at',
    period: `${deliveryDays} days`,
    condition: 'next_attempt_at IS NULL OR next_attempt_at < now()',
    batchRows,
    metric: { name: 'webhook_deliveries_removed_total', labels: {} },
  },
  attemptHoursRetention,
  { table: 'destination_events', column: 'created_at', period: `${deliveryDays} days`, batchRows },
  // Their results are in the event destinations; those of replays are resources and stay.
  {
    table: 'platform.jobs',
    column: 'finished_at',
    period: '1 hour',
    condition: `queue = '${destinationQueue}' AND state IN ('finished', 'failed', 'cancelled')`,
  },
]

/** Statistics begin with a whole day, which may be a day longer than their range. */
export const attemptHoursRetention: RetentionRule = {
  table: 'attempt_hours',
  column: 'hour',
  period: `${maxStatisticsDays + 1} days`,
  batchRows,
}
