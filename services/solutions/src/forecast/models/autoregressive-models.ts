import { continueSeries, fitAutoregression, rootMeanSquare } from './autoregression.ts'
import type { History, Model } from './model.ts'
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

/** The share of the weight of a day, and of a week, that the next one leaves. */
const dayDecay = 0.5 ** (1 / 8)
const weekDecay = 0.5 ** (1 / 1.5)
/** The weight of no difference between the weekdays. */
const weekShrinkage = 0.5

/**
 * A profile that is updated with each value: the mean of the slot of the day, and the mean difference of the slot of
 * the week from it. An autoregression on its errors one step ahead is added.
 */
export function onlineProfile(name: string, order: number): Model {
  return {
    name,
    needs: 1,
    predict: (history, cells) => {
      const { values, first, calendar, observed } = history
      const profile = createProfile(history)
      const errors = values.map((value, index) => profile.update(calendar.slotOf(first + index), value))
      const fit = fitAutoregression(errors, { order, hasConstant: true }, observed)
      const bound = largestDeviation * rootMeanSquare(errors)
      const next = first + values.length
      return continueSeries(fit, errors, cells, { low: -bound, high: bound }).map(
        (error, ahead) => profile.at(calendar.slotOf(next + ahead)) + error,
      )
    },
  }
}

function createProfile({ calendar: { season, day } }: History): {
  at: (slot: number) => number
  /** Adds a value. Returns its difference from what was expected; 0 for the first value of a slot of the day. */
  update: (slot: number, value: number) => number
} {
  const daySums = new Float64Array(day)
  const dayCounts = new Float64Array(day)
  const weekSums = new Float64Array(season)
  const weekCounts = new Float64Array(season)
  const dayMean = (slot: number): number => (daySums[slot % day] ?? 0) / Math.max(dayCounts[slot % day] ?? 0, 1e-12)
  const at = (slot: number): number => dayMean(slot) + (weekSums[slot] ?? 0) / ((weekCounts[slot] ?? 0) + weekShrinkage)
  return {
    at,
    update: (slot, value) => {
      const hour = slot % day
      const isKnown = (dayCounts[hour] ?? 0) > 0
      const error = isKnown ? value - at(slot) : 0
      const apart = isKnown ? value - dayMean(slot) : 0
      weekSums[slot] = weekDecay * (weekSums[slot] ?? 0) + apart
      weekCounts[slot] = weekDecay * (weekCounts[slot] ?? 0) + 1
      daySums[hour] = dayDecay * (daySums[hour] ?? 0) + value
      dayCounts[hour] = dayDecay * (dayCounts[hour] ?? 0) + 1
      return error
    },
  }
}

/** The share of the range of past differences by which a new one may leave it. */
const beyondRange = 0.3

/** An autoregression on the differences from the season before, added to the last season. */
export function differenceAutoregression(name: string, period: number, order: number): Model {
  return {
    name,
    needs: period + order + 1,
    predict: ({ values, observed }, cells) => {
      const differences = values.subarray(period).map((value, index) => value - (values[index] ?? 0))
      // A difference from an imputed value says nothing about the series.
      const isUsable = observed?.subarray(period).map((seen, index) => (seen === 1 && observed[index] === 1 ? 1 : 0))
      const fit = fitAutoregression(differences, { order, hasConstant: true }, isUsable)
      const { low, high } = rangeOf(differences)
      const margin = beyondRange * (high - low)
      const ahead = continueSeries(fit, differences, cells, { low: low - margin, high: high + margin })
      const row = new Float64Array(period + cells)
      row.set(values.subarray(values.length - period))
      for (const [index, difference] of ahead.entries()) row[period + index] = (row[index] ?? 0) + difference
      return row.slice(period)
    },
  }
}

function rangeOf(values: Float64Array): { low: number; high: number } {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of values) {
    if (value < low) low = value
    if (value > high) high = value
  }
  return { low, high }
}
