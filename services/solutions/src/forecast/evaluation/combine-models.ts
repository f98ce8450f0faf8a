import type { Model } from '../models/index.ts'
import type { BacktestResult } from './backtest.ts'
import { clip, tryPredict } from './backtest.ts'
import { combinationName, combine, weightedMean } from './combine.ts'
import { type ModelScore, scoreOf } from './scores.ts'
import type { Selection, SelectionInput } from './select-model.ts'

/** Returns the weighted mean of all models as the first candidate, then the models, best first. */
export function combineModels(
  results: BacktestResult[],
  models: Model[],
  { history, grid, folds, scale, cells, bounds }: SelectionInput,
): Selection {
  const unlimited = { low: bounds.low, high: Number.POSITIVE_INFINITY }
  const forecasts = new Map<BacktestResult, Float64Array>()
  for (const result of results) {
    const model = models.find(({ name }) => name === result.name)
    const forecast = model ? tryPredict(model, history, cells, unlimited) : undefined
    // A model that was fitted to every fold can fail on the whole history; then the others are combined.
    if (forecast instanceof Float64Array) forecasts.set(result, forecast)
  }
  const used = [...forecasts.keys()]
  const demands = [...forecasts.values()]
  if (used.length === 0) throw new Error('no model could forecast, not even the naive one')
  const { weights, result } = combine(used, folds, grid)
  const score = (of: BacktestResult): ModelScore => scoreOf(of, folds, grid, scale)
  return {
    candidates: [score({ ...result, name: combinationName }), ...used.map(score).sort((a, b) => a.error - b.error)],
    forecast: weightedMean(
      demands.map((demand) => clip(demand, bounds)),
      weights,
    ),
    demand: weightedMean(demands, weights),
  }
}
