import type { Frequency, SeriesHistory } from '../shapes.ts'
import type { RegularSeries } from './regularize.ts'

/** Steps that help to judge a forecast, however short, and the most of a long one. */
const bounds = { hour: [336, 1_344], day: [91, 366], week: [52, 156] } as const

/** Returns the number of past steps that are shown with a forecast: twice its horizon, within bounds. */
export const historyLength = (frequency: Frequency, horizon: number): number => {
  const [least, most] = bounds[frequency]
  return Math.min(most, Math.max(least, 2 * horizon))
}

/** Returns a list from the first item on of which something is true; all of it if it is of none. */
export const fromFirst = <Item>(items: readonly Item[], isTrue: (item: Item) => boolean): Item[] =>
  items.slice(Math.max(0, items.findIndex(isTrue)))

/** Returns the last steps of a series without those that are imputed or left out as wrong. */
export function historyOf({ steps, shown, calendar }: RegularSeries, horizon: number): SeriesHistory {
  const from = Math.max(0, steps.length - historyLength(calendar.frequency, horizon))
  const last = steps.slice(from)
  return {
    times: last.map(({ startMs }) => startMs / 1_000),
    values: Array.from(shown.subarray(from), (value) => (Number.isNaN(value) ? null : value)),
  }
}
