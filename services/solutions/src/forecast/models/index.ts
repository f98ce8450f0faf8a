import type { Calendar } from '../time/calendar.ts'
import { ets, mstlEts } from './augurs.ts'
import { differenceAutoregression } from './difference-autoregression.ts'
import type { Model } from './model.ts'
import { onlineProfile } from './online-profile.ts'
import { profileAutoregression } from './profile-autoregression.ts'
import { recentMedian } from './recent-median.ts'
import { seasonalNaive } from './seasonal-naive.ts'
import { weeklyProfile, weeklyProfileLevel } from './weekly-profile.ts'

export { withCalendarEffects } from './calendar-effects.ts'
export { withHolidays } from './holidays.ts'
export { type LearnedCalendar, learnCalendar } from './learned-calendar.ts'
export type { History, Model } from './model.ts'

/** Returns the candidate models of a calendar: the baseline first, then the others from simple to complex. */
export function modelsFor({ frequency, season }: Calendar): [Model, ...Model[]] {
  if (frequency === 'hour') {
    return [
      seasonalNaive('seasonal_naive_week', 168),
      seasonalNaive('seasonal_naive_day', 24),
      recentMedian('recent_median', 168),
      weeklyProfile(),
      weeklyProfileLevel(),
      mstlEts([24, 168]),
    ]
  }
  if (frequency === 'day') {
    return [
      seasonalNaive('seasonal_naive_week', 7),
      seasonalNaive('naive', 1),
      recentMedian('recent_median', 7),
      weeklyProfile(),
      weeklyProfileLevel(),
      mstlEts([7]),
    ]
  }
  if (season === 1) return [seasonalNaive('naive', 1), recentMedian('recent_median', 1), ets()]
  return [
    seasonalNaive('seasonal_naive_year', season),
    seasonalNaive('naive', 1),
    recentMedian('recent_median', 1),
    ets(),
    mstlEts([season]),
  ]
}

/**
 * Returns the models of hourly series that are combined by weights: the baseline first. They were chosen together; the
 * weighted mean of all is better than the best of them.
 * @param isNonNegative true if no value is below zero: only then there are square roots
 */
export function combinedModels(isNonNegative: boolean): [Model, ...Model[]] {
  const roots = { halfLifeWeeks: 2, damping: 0.6, order: 26, recentCells: 672, isSquareRoot: true }
  const plain = { halfLifeWeeks: 3, damping: 0.3, order: 26, recentCells: 1680, isSquareRoot: false }
  return [
    seasonalNaive('seasonal_naive_week', 168),
    weeklyProfileLevel(),
    ...(isNonNegative ? [profileAutoregression('weekly_profile_ar_sqrt', roots)] : []),
    profileAutoregression('weekly_profile_ar', plain),
    onlineProfile('online_profile_ar', 50),
    differenceAutoregression('daily_difference_ar', 24, 50),
  ]
}
