import { continueSeries, fitAutoregression, rootMeanSquare } from './autoregression.ts'
import type { Model } from './model.ts'
import { weeklyPattern } from './weekly-pattern.ts'
import { recentLevel } from './weekly-profile.ts'

export interface ProfileAutoregressionOptions {
  /** The age at which a week has half the weight in the profile. */
  halfLifeWeeks: number
  /** The share of a level change in the last week that is extrapolated. */
  damping: number
  order: number
  /** Number of the last cells that the autoregression is fitted to. */
  recentCells: number
  /** Models square roots, whose scatter depends less on the size of counts. Values must not be negative. */
  isSquareRoot: boolean
}

/** The largest deviation from the profile, as a multiple of the root mean square of those in the history. */
const largestDeviation = 6

/** The weekly profile at its current level, plus an autoregression on what the last weeks deviate from it. */
export function profileAutoregression(name: string, options: ProfileAutoregressionOptions): Model {
  const { halfLifeWeeks, damping, order, recentCells, isSquareRoot } = options
  return {
    name,
    needs: 1,
    predict: (history, cells) => {
      const values = isSquareRoot ? history.values.map(Math.sqrt) : history.values
      const pattern = weeklyPattern({ ...history, values }, halfLifeWeeks)
      const level = recentLevel({ ...history, values }, pattern, damping)
      const { first, calendar, observed } = history
      const profileAt = (index: number): number => level * (pattern[calendar.slotOf(first + index)] ?? 0)
      const from = Math.max(0, values.length - recentCells)
      const deviations = Float64Array.from(values.subarray(from), (value, index) => value - profileAt(from + index))
      const fit = fitAutoregression(deviations, { order, hasConstant: false }, observed?.subarray(from))
      const bound = largestDeviation * rootMeanSquare(deviations)
      const ahead = continueSeries(fit, deviations, cells, { low: -bound, high: bound })
      return ahead.map((deviation, index) => {
        const value = profileAt(values.length + index) + deviation
        return isSquareRoot ? Math.max(0, value) ** 2 : value
      })
    },
  }
}
