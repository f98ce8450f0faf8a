import { nextRuns } from '../../data/schedule/next-runs.ts'
import styles from './automation.module.css'

const shownTimes = 3

/** The next times of a schedule that is being edited, in its time zone. */
export function NextTimes({ schedule, timezone }: { schedule: string; timezone: string }) {
  const times = nextRuns({ type: 'cron', expression: schedule, timezone }, new Date(), shownTimes)
  return (
    <p className={styles.muted} aria-live="polite">
      {times === undefined
        ? 'This expression is not valid yet.'
        : `Next: ${times.map((at) => `${formatAt(at, timezone)}`).join('; ')}`}
    </p>
  )
}

/** Formats a time in a time zone: `Mon 30 Nov, 07:00`. */
export const formatAt = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    ...{ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', timeZone },
  }).format(at)
