import { type Bounds, combine, meanOf, type Rehearsal, tryPredict } from './backtest.ts'
import type { Fold } from './folds.ts'
import type { Grid } from './grid.ts'
import type { History, Model } from './models/index.ts'
import { type Standing, scoreOf } from './scores.ts'

/** The candidates of one series, best first. */
export interface Selection {
  standings: [Standing, ...Standing[]]
  /** The forecast of the best. */
  forecast: Float64Array
}

/**
 * Chooses the model with the least mean absolute error over the folds; of equals the simpler, which `models` has
 * first. Among the candidates is the mean of two models, whichever pair of the best three did best together.
 */
export function select(
  rehearsals: Rehearsal[],
  models: Model[],
  { history, grid, folds, scale, cells, bounds }: SelectionInput,
): Selection {
  const score = (rehearsal: Rehearsal): Standing => scoreOf(rehearsal, folds, grid, scale)
  const single = rehearsals.map(score).sort((a, b) => a.error - b.error)
  const pairs = pairsOf(single.slice(0, 3)).map(([a, b]) => ({
    ...score(combine(a.rehearsal, b.rehearsal)),
    of: [a, b],
  }))
  const pair = pairs.sort((a, b) => a.error - b.error)[0]
  const standings: (Standing & { of?: Standing[] })[] = pair ? [...single, pair] : single
  standings.sort((a, b) => a.error - b.error)

  // A model that could be fitted to every fold can fail on the whole history; then the next best stands in.
  for (const standing of [...standings]) {
    const forecasts = (standing.of ?? [standing]).map(({ name }) => {
      const model = models.find((candidate) => candidate.name === name)
      return model ? tryPredict(model, history, cells, bounds) : new Error(`no model ${name}`)
    })
    const [first, second] = forecasts
    if (!(first instanceof Float64Array) || second instanceof Error) {
      standings.splice(standings.indexOf(standing), 1)
      continue
    }
    const others = standings.filter((other) => other !== standing)
    return { standings: [standing, ...others], forecast: meanOf(first, second) }
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
