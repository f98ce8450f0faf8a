import type { Calendar } from '../time/calendar.ts'
import { differenceAutoregression, onlineProfile, profileAutoregression } from './autoregressive-models.ts'
import type { Model } from './model.ts'
import { recentMedian, seasonalNaive } from './naive-models.ts'
import { weeklyProfile, weeklyProfileLevel } from './weekly-profile.ts'

export { withCalendarEffects } from './calendar-effects.ts'
export { withHolidays } from './holidays.ts'
export { type LearnedCalendar, learnCalendar } from './learned-calendar.ts'
export type { History, Model } from './model.ts'

/**
 * Returns the models of a calendar: the baseline first, then the others from simple to complex.
 * @param isNonNegative true if no value is below zero: only then there are square roots
 */
export function modelsFor({ frequency, season }: Calendar, isNonNegative: boolean): [Model, ...Model[]] {
  if (frequency === 'hour') return hourlyModels(isNonNegative)
  return frequency === 'day' ? dailyModels(isNonNegative) : weeklyModels(season)
}

/** The models were chosen together, by the error of their weighted mean. */
function hourlyModels(isNonNegative: boolean): [Model, ...Model[]] {
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

function dailyModels(isNonNegative: boolean): [Model, ...Model[]] {
  const roots = { halfLifeWeeks: 2, damping: 0.6, order: 7, recentCells: 91, isSquareRoot: true }
  const plain = { halfLifeWeeks: 3, damping: 0.3, order: 14, recentCells: 182, isSquareRoot: false }
  return [
    seasonalNaive('seasonal_naive_week', 7),
    seasonalNaive('naive', 1),
    recentMedian('recent_median', 7),
    weeklyProfile(),
    weeklyProfileLevel(),
    ...(isNonNegative ? [profileAutoregression('weekly_profile_ar_sqrt', roots)] : []),
    profileAutoregression('weekly_profile_ar', plain),
    onlineProfile('online_profile_ar', 14),
    differenceAutoregression('weekly_difference_ar', 7, 14),
  ]
}

function weeklyModels(season: number): [Model, ...Model[]] {
  if (season === 1) return [seasonalNaive('naive', 1), recentMedian('recent_median', 1)]
  return [
    seasonalNaive('seasonal_naive_year', season),
    seasonalNaive('naive', 1),
    recentMedian('recent_median', 1),
    recentMedian('median_of_years', season),
  ]
}
