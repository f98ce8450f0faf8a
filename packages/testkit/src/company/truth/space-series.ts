import { openingHoursOf } from '../days/stays.ts'
import { weekdayOf } from '../model/calendar.ts'
import type { Organization } from '../model/company.ts'
import type { Presence } from './presence.ts'

/** The presence in a space on a day. The occupancy is null on a weekday on which the space is closed. */
export interface SpaceDay {
  attendance: number
  /** The most people at any minute of the opening hours. */
  peak: number | null
  /** The average occupancy times the minutes of the opening hours. */
  personMinutes: number | null
  /** For each opening hour, the average occupancy times 60. */
  hourlyPersonMinutes: number[] | null
  hourlyPeaks: number[] | null
}

/** Creates a function that reads the day of a space out of the presence of all. */
export function createSpaceDayReader(organization: Organization) {
  const { opens, closes } = openingHoursOf(organization.spaces)
  return ({ attendance, personMinutes, peaks }: Presence, space: number, day: number): SpaceDay => {
    const people = attendance[space] ?? 0
    if (weekdayOf(organization, day) > 4)
      return { attendance: people, peak: null, personMinutes: null, hourlyPersonMinutes: null, hourlyPeaks: null }
    const [first, last] = [space * 24 + (opens[space] ?? 0) / 60, space * 24 + (closes[space] ?? 0) / 60]
    const hourlyPersonMinutes = [...personMinutes.subarray(first, last)]
    const hourlyPeaks = [...peaks.subarray(first, last)]
    return {
      attendance: people,
      peak: Math.max(...hourlyPeaks),
      personMinutes: hourlyPersonMinutes.reduce((sum, minutes) => sum + minutes, 0),
      hourlyPersonMinutes,
      hourlyPeaks,
    }
  }
}

/** Returns the smallest value that at least this share of the values does not exceed (nearest rank). 0 of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}

/** Returns the mean, or null of none. */
export const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
