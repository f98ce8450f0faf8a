import type { BacktestResult } from '../evaluation/backtest.ts'
import type { Fold } from '../evaluation/folds.ts'
import type { Grid } from '../series/grid.ts'
import type { Calendar } from '../time/calendar.ts'

/** The properties that the error of a forecast depends on: its value, steps ahead, hour of the day. */
export interface ForecastPosition {
  predicted: number
  lead: number
  hour: number
}

/** A past forecast with the actual value. */
export interface Residual extends ForecastPosition {
  fold: number
  actual: number
}

/** Residuals above this number are sampled: the work grows with the square. */
const maxResiduals = 2500

/** Returns the residuals of a backtest at observed values, sorted by predicted value. */
export function residualsOf(result: BacktestResult, folds: Fold[], grid: Grid, calendar: Calendar): Residual[] {
  const total = folds.reduce((sum, { cells }) => sum + cells, 0)
  const every = strideFor(total / maxResiduals)
  const residuals: Residual[] = []
  folds.forEach(({ origin, cells }, fold) => {
    for (let lead = fold % every; lead < cells; lead += every) {
      if (!grid.observed[origin + lead]) continue
      const hour = calendar.slotOf(grid.first + origin + lead) % calendar.day
      const predicted = result.predictions[fold]?.[lead] ?? 0
      residuals.push({ predicted, lead, hour, fold, actual: grid.values[origin + lead] ?? 0 })
    }
  })
  return residuals.sort((a, b) => a.predicted - b.predicted)
}

/** Returns the next integer without a common factor with 168, so that sampling keeps every hour of the week. */
function strideFor(least: number): number {
  let stride = Math.max(1, Math.ceil(least))
  while (stride > 1 && [2, 3, 7].some((factor) => stride % factor === 0)) stride += 1
  return stride
}
