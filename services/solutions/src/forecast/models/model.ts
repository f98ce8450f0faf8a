import type { Calendar } from '../time/calendar.ts'

/** The history a model is fitted to: every cell has a value, the last one is the most recent. */
export interface History {
  values: Float64Array
  /** The cell number of the first value. */
  first: number
  /** 1 for a value that was observed, 0 for one that was imputed or replaced; all were if it is missing. */
  observed?: Uint8Array
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
