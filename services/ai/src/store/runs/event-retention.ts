import type { RetentionRule } from '@wp/jobs/background'

/**
 * Returns the retention of the events of runs that ended before the period. Events of a run in progress stay, however
 * old. The runs remain with their output, steps and use.
 */
export const eventRetention = (days: number): RetentionRule => ({
  table: 'run_events',
  column: 'created_at',
  period: `${days} days`,
  condition: 'EXISTS (SELECT FROM runs WHERE runs.run_id = run_events.run_id AND runs.ended_at < now() - $1::interval)',
})
