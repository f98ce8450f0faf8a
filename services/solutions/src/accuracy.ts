import { type ForecastInput, type ForecastSeries, type InputSeries, observedSteps } from './forecast/index.ts'

/** Errors and hits of compared steps, which add up over series. */
interface Sums {
  steps: number
  error: number
  size: number
  /** The errors divided by the scale of their series, and the steps of the series that have one. */
  scaledError: number
  scaledSteps: number
  /** By level: the steps inside the interval. */
  inside: Record<string, number>
}

/** The scores of compared steps, as in the response. */
export interface Scores {
  steps: number
  mase: number | null
  wape: number | null
  coverage: Record<string, number>
}

type Options = Pick<ForecastInput, 'frequency' | 'aggregation' | 'timezone'>

/** Compares the points of a forecast with actual values. Imputed steps and incomplete ones at the end are left out. */
export function compareSeries(points: ForecastSeries['points'], actual: InputSeries, options: Options): Sums {
  const sums: Sums = { steps: 0, error: 0, size: 0, scaledError: 0, scaledSteps: 0, inside: {} }
  const first = points[0]
  if (first === undefined) return sums
  const { valueAt, scale } = observedSteps(actual, options, Date.parse(first.ts))
  for (const point of points) {
    const value = valueAt(Date.parse(point.ts))
    if (value === undefined) continue
    const error = Math.abs(value - point.mean)
    sums.steps += 1
    sums.error += error
    sums.size += Math.abs(value)
    if (scale > 0) {
      sums.scaledSteps += 1
      sums.scaledError += error / scale
    }
    for (const [level, lower, upper] of boundsOf(point))
      sums.inside[level] = (sums.inside[level] ?? 0) + (lower <= value && value <= upper ? 1 : 0)
  }
  return sums
}

const boundsOf = (point: ForecastSeries['points'][number]): [level: string, lower: number, upper: number][] =>
  Object.keys(point).flatMap((name) => {
    const level = /^lower_(\d+)$/.exec(name)?.[1]
    if (level === undefined) return []
    const values: Record<string, string | number> = point
    return [[level, Number(values[name]), Number(values[`upper_${level}`])]]
  })

/** Returns the scores over all steps of the series. */
export function scoresOf(all: readonly Sums[]): Scores {
  const total = (pick: (sums: Sums) => number): number => all.reduce((sum, one) => sum + pick(one), 0)
  const steps = total((sums) => sums.steps)
  const [size, scaledSteps] = [total((sums) => sums.size), total((sums) => sums.scaledSteps)]
  const levels = [...new Set(all.flatMap(({ inside }) => Object.keys(inside)))]
  return {
    steps,
    mase: scaledSteps > 0 ? total((sums) => sums.scaledError) / scaledSteps : null,
    wape: size > 0 ? total((sums) => sums.error) / size : null,
    coverage: Object.fromEntries(levels.map((level) => [level, total((sums) => sums.inside[level] ?? 0) / steps])),
  }
}
