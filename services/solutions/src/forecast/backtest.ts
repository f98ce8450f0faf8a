import type { Fold } from './folds.ts'
import type { History, Model } from './models/index.ts'

/** What one model said in every fold, each array as long as the fold. */
export interface Rehearsal {
  name: string
  predictions: Float64Array[]
}

export interface Bounds {
  low: number
  high: number
}

/**
 * Lets every model forecast every fold from what was known then. Models that need more history than the first fold
 * has, or that fail, are left out; the failures come back as warnings.
 */
export function rehearse(
  models: Model[],
  history: History,
  folds: Fold[],
  bounds: Bounds,
  onFold: () => void,
): { rehearsals: Rehearsal[]; warnings: string[] } {
  const shortest = Math.min(...folds.map(({ origin }) => origin))
  const running = new Map<Model, Rehearsal>()
  for (const model of models) if (model.needs <= shortest) running.set(model, { name: model.name, predictions: [] })
  const warnings: string[] = []
  for (const { origin, cells } of folds) {
    for (const [model, rehearsal] of running) {
      const past = { ...history, values: history.values.subarray(0, origin) }
      const prediction = tryPredict(model, past, cells, bounds)
      if (prediction instanceof Float64Array) rehearsal.predictions.push(prediction)
      else {
        running.delete(model)
        warnings.push(`The model ${model.name} could not be fitted: ${prediction.message}.`)
      }
    }
    onFold()
  }
  return { rehearsals: [...running.values()], warnings }
}

/** A model's forecast within bounds, or why there is none. */
export function tryPredict(model: Model, history: History, cells: number, bounds: Bounds): Float64Array | Error {
  try {
    const prediction = model.predict(recentPart(history), cells)
    if (prediction.some((value) => !Number.isFinite(value))) return new Error('it gave no number')
    return prediction.map((value) => Math.min(bounds.high, Math.max(bounds.low, value)))
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** The mean of two models' forecasts: their errors partly cancel (Bates & Granger 1969). */
export function combine(a: Rehearsal, b: Rehearsal): Rehearsal {
  return {
    name: `mean_of_${a.name}_and_${b.name}`,
    predictions: a.predictions.map((prediction, fold) => meanOf(prediction, b.predictions[fold])),
  }
}

export function meanOf(a: Float64Array, b: Float64Array | undefined): Float64Array {
  return a.map((value, index) => (value + (b?.[index] ?? value)) / 2)
}

/** Longer histories cost time and teach no model here anything: 16 weeks of hours, three years of days. */
function recentPart({ values, first, calendar }: History): History {
  const longest = { hour: 16 * 168, day: 3 * 365, week: 15 * 52 }[calendar.frequency]
  const dropped = Math.max(0, values.length - longest)
  return { values: values.subarray(dropped), first: first + dropped, calendar }
}
