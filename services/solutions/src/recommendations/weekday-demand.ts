import { probabilityAbove } from '../forecast/profile.ts'
import type { ComingPeriod, PastPeriod, SeriesProfile } from '../forecast/shapes.ts'
import { median } from '../forecast/statistics.ts'

/** The last weeks that typical values are taken from. */
const weeksBack = 8
/** The index of the 90 % quantile, which is the upper bound of the 80 % interval, among those of a period. */
const upperIndex = 9

/** The demand of one series on one weekday. */
export interface WeekdayDemand {
  weekday: number
  /** The coming days of this weekday, without holidays and incomplete days; at least one. */
  days: ComingPeriod[]
  /** The peaks of this weekday in the last weeks; at least one. */
  pastPeaks: number[]
  /** The highest forecast peak. */
  expected: number
  /** The value that the peak stays below on 9 days of 10. */
  upper: number
  /** The median of `pastPeaks`. */
  typical: number
}

/** Returns the demand on each weekday that has past and coming days, in the order of the week. */
function demandsOf({ past, coming }: SeriesProfile): WeekdayDemand[] {
  return Array.from({ length: 7 }, (_, weekday) => weekday).flatMap((weekday) => {
    const days = coming.filter((day) => day.isUsual && day.weekday === weekday)
    const earlier = past.filter((day) => day.isUsual && day.weekday === weekday).slice(-weeksBack)
    if (days.length === 0 || earlier.length === 0) return []
    const pastPeaks = earlier.map(({ peak }) => peak)
    const expected = Math.max(...days.map(({ peak }) => peak))
    return [
      {
        weekday,
        days,
        pastPeaks,
        expected,
        upper: Math.max(expected, ...days.map(upperOf)),
        typical: median(pastPeaks),
      },
    ]
  })
}

/** Returns the upper bound of the 80 % interval of a day's peak. */
export const upperOf = ({ quantiles }: ComingPeriod): number => quantiles[upperIndex] ?? Number.NaN

/** Returns the capacity of a series, or the median of its highest values of the last weeks. */
export const referenceOf = (profile: SeriesProfile): number => profile.capacity ?? usualPeakOf(profile)

const usualPeakOf = ({ past }: SeriesProfile): number => median(weeklyPeaks(past.filter(({ isUsual }) => isUsual)))

/** The share of the usual peak below which a group counts as closed on a weekday. */
const closedShare = 0.05

/** Returns the demand on each weekday on which the group is open: forecast or history is not nearly zero. */
export function openDemandsOf(profile: SeriesProfile): WeekdayDemand[] {
  const usual = usualPeakOf(profile)
  if (usual <= 0) return []
  return demandsOf(profile).filter(({ expected, typical }) => Math.max(expected, typical) >= closedShare * usual)
}

/**
 * Returns the probability that the weekday stays below a value: the lower one of the forecast and of the share of past
 * days that did, counted as if one more did and one more did not (Laplace).
 */
export function probabilityBelow({ days, pastPeaks }: WeekdayDemand, value: number): number {
  const forecast = Math.min(...days.map((day) => 1 - probabilityAbove(day, value)))
  const held = pastPeaks.filter((peak) => peak < value).length
  return Math.min(forecast, (held + 1) / (pastPeaks.length + 2))
}

/** Returns the peaks of the last periods of seven days. */
function weeklyPeaks(days: readonly PastPeriod[]): number[] {
  const last = days.at(-1)?.date ?? 0
  const peaks = new Map<number, number>()
  for (const { date, peak } of days) {
    const weeksAgo = Math.floor((last - (date ?? last)) / 7)
    if (weeksAgo < weeksBack) peaks.set(weeksAgo, Math.max(peaks.get(weeksAgo) ?? peak, peak))
  }
  return [...peaks.values()]
}
