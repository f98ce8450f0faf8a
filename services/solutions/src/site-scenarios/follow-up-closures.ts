import type { Weekday } from '@wp/contracts'
import { emptyShare, type FollowUp } from '../recommendations/index.ts'
import { dateOf, dayOf, weekdayOf } from '../workplace/local-days.ts'

/** A floor that should be closed on some weekdays. */
export interface Closure {
  spaceId: string
  capacity: number
  weekdays: readonly Weekday[]
}

/** The people at a space on a day, of a figure that is not withheld. */
export interface ShownAttendance {
  spaceId: string
  day: string
  attendance: number
}

/** Days after the acceptance that are compared. */
const followedDays = 28

/** Returns the days that are compared, `until` excluded. */
export const followedPeriod = (acceptedOn: string): { since: string; until: string } => ({
  since: dateOf(dayOf(acceptedOn) + 1),
  until: dateOf(dayOf(acceptedOn) + 1 + followedDays),
})

/**
 * Compares accepted closures of floors with the attendance after the acceptance: each must have been nearly empty on
 * its weekdays. Withheld figures are not compared, so that the result tells nothing about them.
 * @returns `unknown` if there are no figures
 */
export function followUpClosures(
  closures: readonly Closure[],
  shown: readonly ShownAttendance[],
  acceptedOn: string,
  now: Date,
): FollowUp {
  const { since, until } = followedPeriod(acceptedOn)
  const shares = closures.flatMap(({ spaceId, capacity, weekdays }) =>
    shown
      .filter((one) => one.spaceId === spaceId && one.day >= since && one.day < until)
      .filter(({ day }) => weekdays.includes(weekdayOf(dayOf(day))))
      .map(({ attendance }) => attendance / capacity),
  )
  const checked = { checked_at: now.toISOString() }
  if (shares.length === 0) return { status: 'unknown', ...checked, figures: { floor_days: 0 } }
  const used = shares.filter((share) => share > emptyShare).length
  return {
    status: used === 0 ? 'happened' : 'did_not_happen',
    ...checked,
    figures: {
      floor_days: shares.length,
      floor_days_used: used,
      limit: emptyShare,
      highest_share: Math.round(Math.max(...shares) * 1000) / 1000,
    },
  }
}
