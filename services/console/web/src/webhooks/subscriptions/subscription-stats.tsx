import { Stat, Stats } from '../../ui/data/stat.tsx'
import { Time } from '../../ui/data/time.tsx'
import { formatDuration, formatNumber } from '../../ui/format/format.ts'
import type { SubscriptionView } from '../shared/subscription-name.ts'
import { formatPending, SuccessRate } from './subscription-table.tsx'

const duration = (ms: number | null): string => (ms === null ? '–' : formatDuration(ms))

/** The figures of a subscription. */
export function SubscriptionStats({ subscription: { stats, filter } }: { subscription: SubscriptionView }) {
  return (
    <Stats>
      <Stat
        label={`Success, ${stats.window_hours} h`}
        value={<SuccessRate rate={stats.success_rate} />}
        note="of the attempts"
      />
      <Stat
        label="Duration, median"
        value={duration(stats.latency_p50_ms)}
        note={`95 % within ${duration(stats.latency_p95_ms)}`}
      />
      <Stat
        label="Pending"
        value={formatPending(stats.pending)}
        note={
          stats.next_attempt_at === null ? (
            'nothing waits for a retry'
          ) : (
            <>
              next attempt <Time value={stats.next_attempt_at} />
            </>
          )
        }
      />
      <Stat
        label="Delivered"
        value={formatNumber(Math.max(0, stats.delivered))}
        note={
          <>
            last <Time value={stats.last_success_at} />
          </>
        }
      />
      {filter !== null && (
        <Stat label="Filtered" value={formatNumber(stats.filtered)} note="events that did not match" />
      )}
      <Stat
        label="Failed for good"
        value={formatNumber(Math.max(0, stats.failed))}
        note={
          <>
            last failure <Time value={stats.last_failure_at} />
          </>
        }
      />
    </Stats>
  )
}
