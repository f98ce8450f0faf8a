import type { Calendar } from '../calendar.ts'

/** The past as a model sees it: every cell filled, the last one the most recent. */
export interface History {
  values: Float64Array
  /** The cell number of the first value. */
  first: number
  calendar: Calendar
}

export interface Model {
  /** As the API names it. */
  name: string
  /** The fewest cells of history it can work with. */
  needs: number
  /** The next `cells` values. */
  predict: (history: History, cells: number) => Float64Array
}
