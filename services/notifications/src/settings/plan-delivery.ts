import type { NotificationSettings } from '@wp/contracts'
import type { KindEntry } from '../catalog/kinds.ts'
import { instantOf, localTimeAt, nextDigestAt, onDay } from './local-time.ts'
import type { Settings } from './settings.ts'

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
