import type { Bounds } from './backtest.ts'
import type { Fold } from './folds.ts'
import type { Place, Residual } from './residuals.ts'
import { type ScaledErrors, scaledErrorsOf } from './scaled-errors.ts'
import { quantile } from './statistics.ts'

/** Interval bounds of one forecast at a level. */
interface Interval {
  lower: number
  upper: number
}

export interface Intervals {
  at: (place: Place, level: number) => Interval
  /** The share of past values inside intervals made without the folds around them; null where that leaves none. */
  coverage: (level: number) => number | null
}

/** How far the level asked of the quantiles may move, in shares of what the level leaves outside. */
const narrowest = -0.25
const widest = 0.6
const movements = [0, -0.05, 0.05, -0.1, 0.1, -0.15, 0.15, -0.2, 0.2, narrowest, 0.3, 0.4, 0.5, widest]

/**
 * Prediction intervals from what the chosen model got wrong in the rehearsals, by split conformal prediction (Vovk et
 * al. 2005; scaled as in Lei et al. 2018): errors over their usual spread, quantiles of that among forecasts of similar
 * size, times the spread at the new place.
 *
 * Where many values are certain (closed hours are zero) such intervals hold more than they promise in all, though not
 * at busy hours. So the level asked of the quantiles is moved, within limits that keep busy hours fair, towards what
 * makes intervals hold the promise on folds they were not made from.
 */
export function calibrate(residuals: Residual[], folds: Fold[], bounds: Bounds): Intervals {
  const errors = scaledErrorsOf(residuals, folds)
  const tables = new Map<number, HitTable>()
  const tableOf = (level: number): HitTable => {
    const table = tables.get(level) ?? hitTable(residuals, folds.length, errors, level, bounds)
    tables.set(level, table)
    return table
  }
  return {
    at: (place, level) => {
      const moved = move(level, bestMovement(tableOf(level), level, null))
      return intervalFrom(place, errors.near(place), moved, bounds)
    },
    coverage: (level) => coverageOf(tableOf(level), level),
  }
}

function intervalFrom(place: Place, near: ScaledErrors, level: number, bounds: Bounds): Interval {
  const lower = place.predicted + near.spread * quantile(near.errors, (1 - level) / 2)
  const upper = place.predicted + near.spread * quantile(near.errors, (1 + level) / 2)
  return {
    lower: Math.min(place.predicted, Math.max(bounds.low, lower)),
    upper: Math.max(place.predicted, Math.min(bounds.high, upper)),
  }
}

/** How many values each fold has, and for each movement how many of them were inside. */
interface HitTable {
  counts: Float64Array
  hits: Float64Array[]
}

function hitTable(
  residuals: Residual[],
  folds: number,
  errors: ReturnType<typeof scaledErrorsOf>,
  level: number,
  bounds: Bounds,
): HitTable {
  const counts = new Float64Array(folds)
  const hits = movements.map(() => new Float64Array(folds))
  residuals.forEach((residual, index) => {
    const near = errors.nearWithoutItsFold(index)
    if (near.errors.length === 0) return
    counts[residual.fold] = (counts[residual.fold] ?? 0) + 1
    movements.forEach((movement, which) => {
      const { lower, upper } = intervalFrom(residual, near, move(level, movement), bounds)
      // Forecasts are sums of products: equal values may differ in their last digits.
      const slack = 1e-9 * Math.max(1, Math.abs(residual.actual))
      const row = hits[which]
      if (!row || residual.actual < lower - slack || residual.actual > upper + slack) return
      row[residual.fold] = (row[residual.fold] ?? 0) + 1
    })
  })
  return { counts, hits }
}

/** The movement whose coverage is nearest to the level, the smaller where two are; fold `apart` has no say. */
function bestMovement({ counts, hits }: HitTable, level: number, apart: number | null): number {
  const sum = (values: Float64Array): number =>
    values.reduce((total, v, fold) => (fold === apart ? total : total + v), 0)
  const count = sum(counts)
  if (count === 0) return 0
  let best = 0
  let least = Number.POSITIVE_INFINITY
  movements.forEach((movement, which) => {
    const miss = Math.abs(sum(hits[which] ?? counts) / count - level)
    if (miss >= least - 1e-12) return
    least = miss
    best = movement
  })
  return best
}

/** Each fold is judged at the movement the other folds would have chosen. */
function coverageOf(table: HitTable, level: number): number | null {
  let inside = 0
  let all = 0
  table.counts.forEach((count, fold) => {
    const which = movements.indexOf(bestMovement(table, level, fold))
    inside += table.hits[which]?.[fold] ?? 0
    all += count
  })
  return all > 0 ? inside / all : null
}

function move(level: number, movement: number): number {
  return level + movement * (1 - level)
}
