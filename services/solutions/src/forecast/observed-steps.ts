import { seasonalDifference } from './evaluation/scores.ts'
import { regularize } from './series/regularize.ts'
import type { ForecastInput, InputSeries } from './shapes.ts'

/** The observed values of a series by step. */
interface ObservedSteps {
  /**
   * Returns the value of the step that starts at an instant; undefined if the step is missing, imputed or incomplete.
   */
  valueAt: (startMs: number) => number | undefined
  /** The mean absolute error of the seasonal naive forecast before the split; 0 if it has none. */
  scale: number
}

/** Combines the points of a series into steps, and measures the scale of MASE before an instant. */
export function observedSteps(
  series: InputSeries,
  options: Pick<ForecastInput, 'frequency' | 'aggregation' | 'timezone'>,
  splitMs: number,
): ObservedSteps {
  const { steps, grid, calendar } = regularize(series, { ...options, horizon: 1 })
  const values = new Map<number, number>()
  let before = 0
  for (const { startMs, cell } of steps) {
    const index = cell - grid.first
    if (grid.observed[index] === 1) values.set(startMs, grid.values[index] ?? 0)
    if (startMs < splitMs) before = index + 1
  }
  return { valueAt: (startMs) => values.get(startMs), scale: seasonalDifference(grid, calendar.season, before) }
}
