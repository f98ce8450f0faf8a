import { maxStatisticsDays } from '@wp/contracts'
import type { RetentionRule } from '@wp/jobs/background'

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
]

/** Statistics begin with a whole day, which may be a day longer than their range. */
export const attemptHoursRetention: RetentionRule = {
  table: 'attempt_hours',
  column: 'hour',
  period: `${maxStatisticsDays + 1} days`,
  batchRows,
}
