import type { History, Model } from '../models/index.ts'
import type { Grid } from '../series/grid.ts'
import { averageResults, type BacktestResult, type Bounds, clip, meanOf, tryPredict } from './backtest.ts'
import type { Fold } from './folds.ts'
import { type ModelScore, scoreOf } from './scores.ts'

/** The candidates of one series, best first. */
export interface Selection {
  candidates: [ModelScore, ...ModelScore[]]
  /** The forecast of the best candidate, within the bounds. */
  forecast: Float64Array
  /** The same forecast without the upper bound: what would come if there were room. */
  demand: Float64Array
}

/**
 * Selects the model with the lowest mean absolute error over the folds; of equals the simpler one, which comes first in
 * `models`. The mean of two models is a candidate too: the best pair among the three best models.
 */
export function selectModel(
  results: BacktestResult[],
  models: Model[],
  { history, grid, folds, scale, cells, bounds }: SelectionInput,
): Selection {
  const score = (result: BacktestResult): ModelScore => scoreOf(result, folds, grid, scale)
  const single = results.map(score).sort((a, b) => a.error - b.error)
  const pairs = pairsOf(single.slice(0, 3)).map(([a, b]) => ({
    ...score(averageResults(a.result, b.result)),
    of: [a, b],
  }))
  const pair = pairs.sort((a, b) => a.error - b.error)[0]
  const unlimited = { low: bounds.low, high: Number.POSITIVE_INFINITY }
  const standings: (ModelScore & { of?: ModelScore[] })[] = pair ? [...single, pair] : single
  standings.sort((a, b) => a.error - b.error)

  // A model that was fitted to every fold can fail on the whole history; then the next best one is used.
  for (const candidate of [...standings]) {
    const forecasts = (candidate.of ?? [candidate]).map(({ name }) => {
      const model = models.find((other) => other.name === name)
      return model ? tryPredict(model, history, cells, unlimited) : new Error(`no model ${name}`)
    })
    const [first, second] = forecasts
    if (!(first instanceof Float64Array) || second instanceof Error) {
      standings.splice(standings.indexOf(candidate), 1)
      continue
    }
    const others = standings.filter((other) => other !== candidate)
    return {
      candidates: [candidate, ...others],
      forecast: meanOf(clip(first, bounds), second && clip(second, bounds)),
      demand: meanOf(first, second),
    }
  }
  throw new Error('no model could forecast, not even the naive one')
}

export interface SelectionInput {
  history: History
  grid: Grid
  folds: Fold[]
  scale: number
  cells: number
  bounds: Bounds
}

function pairsOf<T>(items: T[]): [T, T][] {
  return items.flatMap((a, index) => items.slice(index + 1).map((b): [T, T] => [a, b]))
}
