import type { NotificationSettings } from '@wp/contracts'

const monday = 1

/** A date and a time of day on the clocks of a time zone. */
export interface LocalTime {
  year: number
  /** 1 to 12. */
  month: number
  day: number
  hour: number
  minute: number
}

const fields = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const

const msPerDay = 86_400_000

/** Returns what the clocks of a time zone show. @param at milliseconds since 1970 */
export function localTimeAt(at: number, timezone: string): LocalTime {
  const parts = new Intl.DateTimeFormat('en-GB', { ...fields, timeZone: timezone, hourCycle: 'h23' }).formatToParts(at)
  const read = (type: keyof LocalTime) => Number(parts.find((part) => part.type === type)?.value)
  return { year: read('year'), month: read('month'), day: read('day'), hour: read('hour'), minute: read('minute') }
}

/** Returns the local time as if it were UTC, so that it can be compared and calculated with. */
const asUtc = ({ year, month, day, hour, minute }: LocalTime): number => Date.UTC(year, month - 1, day, hour, minute)

/**
 * Returns when the clocks of a time zone show a local time, in milliseconds since 1970. Where clocks are set back, a
 * time occurs twice and `which` chooses; where they are set forward, a time that is skipped is moved forward by the
 * gap, as in RFC 5545 (section 3.3.5).
 */
export function instantOf(local: LocalTime, timezone: string, which: 'first' | 'last'): number {
  const wanted = asUtc(local)
  const offsetAt = (at: number) => asUtc(localTimeAt(at, timezone)) - at
  // No zone has an offset of a day, or changes it twice within two.
  const [before, after] = [offsetAt(wanted - msPerDay), offsetAt(wanted + msPerDay)]
  const found = [wanted - before, wanted - after].filter((at) => asUtc(localTimeAt(at, timezone)) === wanted)
  if (found.length === 0) return wanted - before
  return which === 'first' ? Math.min(...found) : Math.max(...found)
}

/** Returns the same day some days later, at a time of day such as `08:00`. */
export function onDay(local: LocalTime, days: number, time: string): LocalTime {
  const date = new Date(Date.UTC(local.year, local.month - 1, local.day + days))
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate(), hour, minute }
}

/** Returns the day of the week, 0 for Sunday. */
export const weekdayOf = ({ year, month, day }: LocalTime): number =>
  new Date(Date.UTC(year, month - 1, day)).getUTCDay()

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
