import type { NotificationSettings } from '@wp/contracts'
import type { KindEntry } from '../catalog/kinds.ts'
import type { Settings } from './settings.ts'

const monday = 1

const fields = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const

const msPerDay = 86_400_000

/** Channels and times by which one recipient gets one notification. Times are in milliseconds since 1970. */
export interface DeliveryPlan {
  isInApp: boolean
  /** Undefined: no mail. */
  email?: { at: number; isDigest: boolean }
  /** Undefined: no message. */
  slack?: { at: number }
}

interface PlanInput {
  kind: Pick<KindEntry, 'category' | 'isCritical'>
  settings: Settings
  now: number
  /** The zone of the recipient, for a digest without one. */
  timezone: string
  /** False for the feed of a workspace. */
  hasEmail: boolean
}

/**
 * Decides the channels and times of a notification. Critical ones go through every channel there is, at once. Others
 * follow the channels of their category; quiet hours defer mail and Slack to their end, and a digest collects mails.
 */
export function planDelivery({ kind, settings, now, timezone, hasEmail }: PlanInput): DeliveryPlan {
  const { digest, quiet_hours: quietHours, slack } = settings
  if (kind.isCritical === true)
    return {
      isInApp: true,
      ...(hasEmail ? { email: { at: now, isDigest: false } } : {}),
      ...(slack === null ? {} : { slack: { at: now } }),
    }
  const channels = settings.categories[kind.category]
  const at = (quietHours === null ? undefined : quietUntil(now, quietHours)) ?? now
  const digestAt = nextDigestAt(now, digest, timezone)
  return {
    isInApp: channels.in_app,
    ...(hasEmail && channels.email ? { email: { at: digestAt ?? at, isDigest: digestAt !== undefined } } : {}),
    ...(slack !== null && channels.slack ? { slack: { at } } : {}),
  }
}

/** Returns true if no channel carries the notification. */
export const isMuted = ({ isInApp, email, slack }: DeliveryPlan): boolean =>
  !isInApp && email === undefined && slack === undefined

type QuietHours = NonNullable<NotificationSettings['quiet_hours']>

/**
 * Returns the end of the quiet hours that contain a time; undefined if none do. They begin when the clocks first show
 * `start` and end when they last show `end`, so an hour that occurs twice belongs to them as a whole.
 * @param at milliseconds since 1970
 */
export function quietUntil(at: number, { start, end, timezone }: QuietHours): number | undefined {
  const today = localTimeAt(at, timezone)
  const endsNextDay = start > end ? 1 : 0
  for (const day of [-1, 0]) {
    const begin = instantOf(onDay(today, day, start), timezone, 'first')
    const until = instantOf(onDay(today, day + endsNextDay, end), timezone, 'last')
    if (at >= begin && at < until) return until
  }
  return undefined
}

/** A date and a time of day on the clocks of a time zone. */
interface LocalTime {
  year: number
  /** 1 to 12. */
  month: number
  day: number
  hour: number
  minute: number
}

/** Returns what the clocks of a time zone show. @param at milliseconds since 1970 */
function localTimeAt(at: number, timezone: string): LocalTime {
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
function instantOf(local: LocalTime, timezone: string, which: 'first' | 'last'): number {
  const wanted = asUtc(local)
  const offsetAt = (at: number) => asUtc(localTimeAt(at, timezone)) - at
  // No zone has an offset of a day, or changes it twice within two.
  const [before, after] = [offsetAt(wanted - msPerDay), offsetAt(wanted + msPerDay)]
  const found = [wanted - before, wanted - after].filter((at) => asUtc(localTimeAt(at, timezone)) === wanted)
  if (found.length === 0) return wanted - before
  return which === 'first' ? Math.min(...found) : Math.max(...found)
}

/** Returns the same day some days later, at a time of day such as `08:00`. */
function onDay(local: LocalTime, days: number, time: string): LocalTime {
  const date = new Date(Date.UTC(local.year, local.month - 1, local.day + days))
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate(), hour, minute }
}

/** Returns the day of the week, 0 for Sunday. */
const weekdayOf = ({ year, month, day }: LocalTime): number => new Date(Date.UTC(year, month - 1, day)).getUTCDay()

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
