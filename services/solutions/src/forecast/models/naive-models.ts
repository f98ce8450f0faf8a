import { median } from '../statistics.ts'
import type { Model } from './model.ts'

/** Predicts the median of the last four values of the same slot (the same hour of the same weekday). */
export function recentMedian(name: string, period: number): Model {
  return {
    name,
    needs: 2 * period,
    predict: ({ values }, cells) => {
      const pattern = Array.from({ length: Math.min(cells, period) }, (_, ahead) => {
        const seen: number[] = []
        for (let back = 1; back <= 4; back += 1) {
          const value = values[values.length - back * period + ahead]
          if (value !== undefined) seen.push(value)
        }
        return median(seen)
      })
      return Float64Array.from({ length: cells }, (_, ahead) => pattern[ahead % period] ?? 0)
    },
  }
}

/** Repeats the last period: the baseline that other models are compared with. */
export function seasonalNaive(name: string, period: number): Model {
  return {
    name,
    needs: period,
    predict: ({ values }, cells) =>
      Float64Array.from({ length: cells }, (_, ahead) => values[values.length - period + (ahead % period)] ?? 0),
  }
}
