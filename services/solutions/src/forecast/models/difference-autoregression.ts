import { continueSeries, fitAutoregression } from './autoregression.ts'
import type { Model } from './model.ts'

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
