import type { Frequency, SeriesHistory } from '../shapes.ts'
import type { RegularSeries } from './regularize.ts'

/** Steps that help to judge a forecast, however short, and the most of a long one. */
const bounds = { hour: [336, 1_344], day: [91, 366], week: [52, 156] } as const

/** Returns the number of past steps that are shown with a forecast: twice its horizon, within bounds. */
export const historyLength = (frequency: Frequency, horizon: number): number => {
  const [least, most] = bounds[frequency]
  return Math.min(most, Math.max(least, 2 * horizon))
}

/** Returns the last steps of a series with the values that the forecast rests on, but for imputed ones. */
export function historyOf({ steps, grid, calendar }: RegularSeries, horizon: number): SeriesHistory {
  const last = steps.slice(-historyLength(calendar.frequency, horizon))
  return {
    times: last.map(({ startMs }) => startMs / 1_000),
    values: last.map(({ cell }) => {
      const index = cell - grid.first
      return grid.observed[index] === 1 ? (grid.values[index] ?? null) : null
    }),
  }
}
