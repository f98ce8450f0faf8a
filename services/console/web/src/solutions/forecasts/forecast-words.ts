import { formatCount, formatPercent } from '../../ui/format/format.ts'
import type { Frequency } from './run-input.ts'

const hoursPerDay = 24
const daysPerWeek = 7

/** Describes a horizon: `168 hours (7 days)`, `14 days (2 weeks)`. */
export function describeHorizon(horizon: number, frequency: Frequency): string {
  const steps = formatCount(horizon, frequency)
  if (frequency === 'hour' && horizon > hoursPerDay) return `${steps} (${approximately(horizon / hoursPerDay, 'day')})`
  if (frequency === 'day' && horizon > daysPerWeek) return `${steps} (${approximately(horizon / daysPerWeek, 'week')})`
  return steps
}

function approximately(amount: number, unit: string): string {
  const rounded = Math.round(amount)
  return `${Number.isInteger(amount) ? '' : 'about '}${formatCount(rounded, unit)}`
}

interface Score {
  mase: number | null
  wape: number | null
}

/**
 * Returns how much smaller the error of the forecast is than that of the naive forecast, as a share; negative if it is
 * larger. By MASE, which is defined for series with zeros, or else by WAPE.
 */
export function improvementOver(accuracy: Score, baseline: Score): number | null {
  for (const measure of ['mase', 'wape'] as const) {
    const [own, naive] = [accuracy[measure], baseline[measure]]
    if (own !== null && naive !== null && naive > 0) return 1 - own / naive
  }
  return null
}

/** Describes an improvement in words: `22 % better than the naive forecast`. */
export function describeImprovement(improvement: number | null): string {
  if (improvement === null) return 'Not comparable with the naive forecast'
  if (Math.round(100 * improvement) === 0) return 'As good as the naive forecast'
  return `${formatPercent(Math.abs(improvement))} ${improvement > 0 ? 'better' : 'worse'} than the naive forecast`
}

/** Describes the share of values that were inside an interval. */
export const describeCoverage = (coverage: number): string => `${formatPercent(coverage)} of the values were inside`

const modelNames: Readonly<Record<string, string>> = {
  seasonal_naive_week: 'Same time last week (naive)',
  seasonal_naive_day: 'Same time the day before (naive)',
  seasonal_naive_year: 'Same week last year (naive)',
  naive: 'Last value (naive)',
  weekly_profile: 'Weekly profile',
  weekly_profile_level: 'Weekly profile with current level',
  recent_median: 'Median of recent weeks',
  combination: 'Weighted mean of all models',
  weekly_profile_ar: 'Weekly profile with autoregression',
  weekly_profile_ar_sqrt: 'Weekly profile with autoregression, of square roots',
  online_profile_ar: 'Adapting profile with autoregression',
  daily_difference_ar: 'Autoregression of differences from the day before',
  weekly_difference_ar: 'Autoregression of differences from the week before',
  median_of_years: 'Median of the same week of past years',
  // Runs before these models may have the following ones.
  ets: 'Exponential smoothing (ETS)',
  mstl_ets: 'Seasonal decomposition with smoothing (MSTL, ETS)',
}

/** Returns the name of a model for people. A combination is named by its parts. */
export function modelName(name: string): string {
  const known = modelNames[name]
  if (known !== undefined) return known
  const parts = /^mean_of_(.+)_and_(.+)$/.exec(name)
  const words = (part: string) => (modelNames[part] ?? part.replaceAll('_', ' ')).toLowerCase()
  if (parts?.[1] && parts[2]) return `Mean of ${words(parts[1])} and ${words(parts[2])}`
  return name.replaceAll('_', ' ')
}
