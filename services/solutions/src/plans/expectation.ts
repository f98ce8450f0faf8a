import type { PlanContent } from '@wp/contracts'
import type { Expectation, PlannedDay, PlannedSpace, RestDay } from './input/plan-input.ts'

/** Days that a mean is made of at least. */
const minDays = 3
/** The share of days that are shown, below which their mean is too high: the few that are shown are the full ones. */
const minShownShare = 0.5

/** The 0.9 quantile of Student's t by degrees of freedom, from 1 on: the bound of a two-sided interval of 80 %. */
const studentT90 = [3.078, 1.886, 1.638, 1.533, 1.476, 1.44, 1.415]
const normal90 = 1.282

/** Returns the people who are expected in a space; null if neither a forecast nor days tell. */
export function expectationOf({ measure, forecast, days }: PlannedSpace, restDay: RestDay | null): Expectation | null {
  if (restDay !== null) return { mean: 0, lower: 0, upper: 0, source: 'rest_day' }
  if (forecast !== null) {
    const atLeast0 = (value: number | null) => (value === null ? null : round(Math.max(0, value)))
    const { mean, lower, upper } = forecast
    return {
      mean: round(Math.max(0, mean)),
      lower: atLeast0(lower),
      upper: atLeast0(upper),
      source: 'forecast',
      measure,
    }
  }
  const profile = profileOf(days)
  return profile && { ...profile, measure }
}

/**
 * Returns the mean of the days, and the interval in which the next one is with 80 %: mean ± t · s · √(1 + 1/n), with
 * the standard deviation s of n days and the quantile t of Student's distribution with n − 1 degrees of freedom.
 */
export function profileOf(days: readonly Omit<PlannedDay, 'hours'>[]): Expectation | null {
  const counted = days.filter(({ people, isSuppressed }) => people !== null || isSuppressed)
  const values = counted.flatMap(({ people }) => people ?? [])
  const n = values.length
  if (n < minDays || n < minShownShare * counted.length) return null
  const mean = values.reduce((sum, value) => sum + value, 0) / n
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1)
  const margin = (studentT90[n - 2] ?? normal90) * Math.sqrt(variance * (1 + 1 / n))
  return { mean: round(mean), lower: round(Math.max(0, mean - margin)), upper: round(mean + margin), source: 'profile' }
}

type Hours = PlanContent['hours']

/**
 * Returns the people who are there in each hour: the expected people of the day, times the share of the people of a day
 * who are there in that hour, over the days of which both are shown. Empty if no times are measured.
 */
export function hoursOf(expected: Expectation | null, days: readonly PlannedDay[]): Hours {
  const measured = days
    .map((day) => ({ ...day, averages: day.hours().map(({ level }) => level?.average ?? null) }))
    .filter(({ averages }) => averages.length > 0)
  if (expected === null || measured.length === 0) return []
  return Array.from({ length: 24 }, (_, hour) => {
    const start = timeOf(hour * 60)
    if (expected.mean === 0) return { start, people: 0 }
    let [there, came, shown] = [0, 0, 0]
    for (const { averages, people, isSuppressed } of measured) {
      const average = averages[hour] ?? null
      if (average === null || people === null || isSuppressed) continue
      shown++
      there += average
      came += people
    }
    const isKnown = shown >= minShownShare * measured.length && came > 0
    return { start, people: isKnown ? round((expected.mean * there) / came) : null }
  })
}

/** Returns the fullest hour; null if none is known, or no one is expected. */
export function peakOf(hours: Hours): PlanContent['peak'] {
  let peak: { start: string; people: number } | null = null
  for (const { start, people } of hours) if (people !== null && people > (peak?.people ?? 0)) peak = { start, people }
  return peak
}

/** Formats minutes since midnight as a time of day. */
export const timeOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

export const round = (value: number): number => Math.round(value * 10) / 10

/** Rounds up, but for what floating point adds. */
export const roundedUp = (value: number): number => Math.max(0, Math.ceil(value - 1e-9))
