import type { Calendar } from '../time/calendar.ts'

/** The history a model is fitted to: every cell has a value, the last one is the most recent. */
export interface History {
  values: Float64Array
  /** The cell number of the first value. */
  first: number
  calendar: Calendar
}

export interface Model {
  /** The name in the API. */
  name: string
  /** Minimum number of cells of history. */
  needs: number
  /** Returns the next `cells` values. */
  predict: (history: History, cells: number) => Float64Array
}
