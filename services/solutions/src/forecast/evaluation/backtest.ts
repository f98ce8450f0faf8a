import type { History, Model } from '../models/index.ts'
import type { Fold } from './folds.ts'

/** The predictions of one model in every fold, each array as long as its fold. */
export interface BacktestResult {
  name: string
  predictions: Float64Array[]
}

export interface Bounds {
  low: number
  high: number
}

/**
 * Runs every model on every fold with the history before it. Models that need more history than the first fold has, or
 * that fail, are dropped; failures are returned as warnings.
 */
export function backtest(
  models: Model[],
  history: History,
  folds: Fold[],
  bounds: Bounds,
  onFold: () => void,
): { results: BacktestResult[]; warnings: string[] } {
  const shortest = Math.min(...folds.map(({ origin }) => origin))
  const running = new Map<Model, BacktestResult>()
  for (const model of models) if (model.needs <= shortest) running.set(model, { name: model.name, predictions: [] })
  const warnings: string[] = []
  for (const { origin, cells } of folds) {
    for (const [model, result] of running) {
      const past = cutHistory(history, 0, origin)
      const prediction = tryPredict(model, past, cells, bounds)
      if (prediction instanceof Float64Array) result.predictions.push(prediction)
      else {
        running.delete(model)
        warnings.push(`The model ${model.name} could not be fitted: ${prediction.message}.`)
      }
    }
    onFold()
  }
  return { results: [...running.values()], warnings }
}

/** Returns a model's forecast within bounds, or the error that prevented it. */
export function tryPredict(model: Model, history: History, cells: number, bounds: Bounds): Float64Array | Error {
  try {
    const prediction = model.predict(trainingWindow(history), cells)
    if (prediction.some((value) => !Number.isFinite(value))) return new Error('it predicted a value that is not finite')
    return clip(prediction, bounds)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

export function clip(values: Float64Array, { low, high }: Bounds): Float64Array {
  return values.map((value) => Math.min(high, Math.max(low, value)))
}

/** Returns the mean of two models' forecasts: their errors partly cancel (Bates & Granger 1969). */
export function averageResults(a: BacktestResult, b: BacktestResult): BacktestResult {
  return {
    name: `mean_of_${a.name}_and_${b.name}`,
    predictions: a.predictions.map((prediction, fold) => meanOf(prediction, b.predictions[fold])),
  }
}

export function meanOf(a: Float64Array, b: Float64Array | undefined): Float64Array {
  return a.map((value, index) => (value + (b?.[index] ?? value)) / 2)
}

/**
 * Limits the history to 16 weeks of hours, three years of days or 15 years of weeks. More costs time without better
 * fits.
 */
function trainingWindow(history: History): History {
  const longest = { hour: 16 * 168, day: 3 * 365, week: 15 * 52 }[history.calendar.frequency]
  return cutHistory(history, Math.max(0, history.values.length - longest), history.values.length)
}

function cutHistory({ values, first, observed, calendar }: History, from: number, to: number): History {
  const cut = { values: values.subarray(from, to), first: first + from, calendar }
  return observed === undefined ? cut : { ...cut, observed: observed.subarray(from, to) }
}
