import type { NotificationSettings } from '@wp/contracts'
import { instantOf, localTimeAt, onDay, weekdayOf } from './local-time.ts'

const monday = 1

/**
 * Returns the time of the next digest after a time, in milliseconds since 1970; undefined without digests. A weekly
 * digest is sent on Mondays.
 * @param fallbackTimezone the zone of the user, for settings without one
 */
export function nextDigestAt(
  at: number,
  { frequency, at: time, timezone }: NotificationSettings['digest'],
  fallbackTimezone: string,
): number | undefined {
  if (frequency === 'off') return undefined
  const zone = timezone ?? fallbackTimezone
  const today = localTimeAt(at, zone)
  for (let days = 0; days <= 7; days += 1) {
    const day = onDay(today, days, time)
    const due = instantOf(day, zone, 'first')
    if (due > at && (frequency === 'daily' || weekdayOf(day) === monday)) return due
  }
  throw new Error('every week has a Monday')
}
