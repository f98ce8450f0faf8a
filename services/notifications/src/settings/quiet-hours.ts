import type { NotificationSettings } from '@wp/contracts'
import { instantOf, localTimeAt, onDay } from './local-time.ts'

export type QuietHours = NonNullable<NotificationSettings['quiet_hours']>

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
