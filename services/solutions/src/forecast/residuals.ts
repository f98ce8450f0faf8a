import type { Rehearsal } from './backtest.ts'
import type { Calendar } from './calendar.ts'
import type { Fold } from './folds.ts'
import type { Grid } from './grid.ts'

/** Where a forecast stands among others: what was forecast, how far ahead, at which hour of the day. */
export interface Place {
  predicted: number
  lead: number
  hour: number
}

/** A past forecast and what became of it. */
export interface Residual extends Place {
  fold: number
  actual: number
}

/** More than this many are thinned: the work on them grows with the square. */
const most = 2500

/** The errors of a rehearsal, observed values only, sorted by what was forecast. */
export function residualsOf(rehearsal: Rehearsal, folds: Fold[], grid: Grid, calendar: Calendar): Residual[] {
  const total = folds.reduce((sum, { cells }) => sum + cells, 0)
  const every = strideFor(total / most)
  const residuals: Residual[] = []
  folds.forEach(({ origin, cells }, fold) => {
    for (let lead = fold % every; lead < cells; lead += every) {
      if (!grid.observed[origin + lead]) continue
      const hour = calendar.slotOf(grid.first + origin + lead) % calendar.day
      const predicted = rehearsal.predictions[fold]?.[lead] ?? 0
      residuals.push({ predicted, lead, hour, fold, actual: grid.values[origin + lead] ?? 0 })
    }
  })
  return residuals.sort((a, b) => a.predicted - b.predicted)
}

/** The next whole number that shares no factor with the hours of a week, so that thinning keeps every hour. */
function strideFor(least: number): number {
  let stride = Math.max(1, Math.ceil(least))
  while (stride > 1 && [2, 3, 7].some((factor) => stride % factor === 0)) stride += 1
  return stride
}
