import { continueSeries, fitAutoregression, rootMeanSquare } from './autoregression.ts'
import type { History, Model } from './model.ts'

/** The share of the weight of a day, and of a week, that the next one leaves. */
const dayDecay = 0.5 ** (1 / 8)
const weekDecay = 0.5 ** (1 / 1.5)
/** The weight of no difference between the weekdays. */
const weekShrinkage = 0.5
const largestDeviation = 6

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
