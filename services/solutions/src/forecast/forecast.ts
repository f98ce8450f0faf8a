import { type Bounds, rehearse } from './backtest.ts'
import { type Step, stepAfter } from './calendar.ts'
import { checkHorizon, lengthError, readHolidays } from './checks.ts'
import type { SeriesTooShortError } from './errors.ts'
import { planFolds } from './folds.ts'
import { calibrate, type Intervals } from './intervals.ts'
import { modelsFor, withHolidays } from './models/index.ts'
import { type RegularSeries, regularise } from './regularise.ts'
import { residualsOf } from './residuals.ts'
import { naiveScale } from './scores.ts'
import { select } from './selection.ts'
import type {
  ForecastInput,
  ForecastOutput,
  ForecastPoint,
  ForecastSeries,
  InputSeries,
  Level,
  Score,
} from './shapes.ts'

const defaultLevels: Level[] = [0.8, 0.95]

/**
 * Forecasts every series by itself: regularise, let every model rehearse on the last weeks, take the best, and draw
 * intervals from what it got wrong there. The same input gives the same output; no clock, no chance.
 *
 * A series that is too short carries an `error` and the others go on. `onProgress` hears fractions from 0 to 1.
 * Throws `ForecastInputError` where the request itself is at fault. Takes a tenth of a second to a second for a series,
 * all of it on the calling thread: servers use `forecastInWorker`.
 */
export function forecast(input: ForecastInput, onProgress: (fraction: number) => void = () => {}): ForecastOutput {
  checkHorizon(input)
  const holidays = readHolidays(input.holidays)
  const series = input.series.map((one, index) =>
    forecastOne(one, input, holidays, (part) => onProgress((index + part) / input.series.length)),
  )
  onProgress(1)
  return { series }
}

function forecastOne(
  series: InputSeries,
  input: ForecastInput,
  holidays: ReadonlySet<number>,
  onProgress: (part: number) => void,
): ForecastSeries {
  const regular = regularise(series, input)
  const { calendar, grid, quality, warnings } = regular
  const tooShort = lengthError(series, regular, input)
  if (tooShort) return refused(series, regular, tooShort)
  if (calendar.frequency === 'week' && holidays.size > 0) warnings.push('Holidays have no effect on weekly forecasts.')

  const steps = stepsAhead(regular, input.horizon)
  const next = grid.first + grid.values.length
  const cells = (steps.at(-1)?.cell ?? next) - next + 1
  const bounds = boundsOf(grid.values, input.capacity)
  const history = { values: grid.values, first: grid.first, calendar }
  const models = modelsFor(calendar).map((model, index) => (index === 0 ? model : withHolidays(model, holidays)))
  const folds = planFolds(grid.values.length, cells, calendar)
  let done = 0
  const rehearsed = rehearse(models, history, folds, bounds, () => {
    done += 1
    onProgress(done / (folds.length + 1))
  })
  const scale = naiveScale(grid, folds, calendar.season)
  const { standings, forecast: means } = select(rehearsed.rehearsals, models, {
    history,
    grid,
    folds,
    scale,
    cells,
    bounds,
  })
  const [best] = standings
  const intervals = calibrate(residualsOf(best.rehearsal, folds, grid, calendar), folds, bounds)
  const coverage = intervals.coverage(0.8)
  const baseline = standings.find(({ name }) => name === models[0]?.name) ?? best
  return {
    key: series.key,
    points: steps.map((step) =>
      pointOf(step, means[step.cell - next] ?? 0, step.cell - next, regular, intervals, input),
    ),
    model: { selected: best.name, candidates: standings.map(toScore) },
    accuracy: {
      mase: best.mase,
      wape: best.wape,
      coverage_80: coverage,
      coverage_95: intervals.coverage(0.95),
      baseline: toScore(baseline),
    },
    data_quality: quality,
    warnings: [...warnings, ...rehearsed.warnings, ...intervalWarnings(coverage)],
  }
}

/** Wider levels hold narrower ones, whatever each was tuned to. */
function pointOf(
  step: Step,
  mean: number,
  lead: number,
  { calendar }: RegularSeries,
  intervals: Intervals,
  { levels = defaultLevels }: ForecastInput,
): ForecastPoint {
  const point: ForecastPoint = { ts: new Date(step.startMs).toISOString(), mean }
  let lower = mean
  let upper = mean
  for (const level of levels.toSorted((a, b) => a - b)) {
    const hour = calendar.slotOf(step.cell) % calendar.day
    const interval = intervals.at({ predicted: mean, lead, hour }, level)
    lower = Math.min(lower, interval.lower)
    upper = Math.max(upper, interval.upper)
    const percent = Math.round(level * 100)
    point[`lower_${percent}`] = lower
    point[`upper_${percent}`] = upper
  }
  return point
}

function intervalWarnings(coverage: number | null): string[] {
  if (coverage === null) return ['There is too little history to check the intervals; take them as rough.']
  if (coverage >= 0.72) return []
  return [`In rehearsals the 80 % interval held ${Math.round(100 * coverage)} % of values; take intervals as rough.`]
}

function stepsAhead({ steps, calendar, zone }: RegularSeries, horizon: number): Step[] {
  const ahead: Step[] = []
  let step = steps.at(-1)
  while (step && ahead.length < horizon) {
    step = stepAfter(calendar, zone, step)
    ahead.push(step)
  }
  return ahead
}

/** Counts and sums are never negative; a series that has been may be again. */
function boundsOf(values: Float64Array, capacity: number | undefined): Bounds {
  const negative = values.some((value) => value < 0)
  return { low: negative ? Number.NEGATIVE_INFINITY : 0, high: capacity ?? Number.POSITIVE_INFINITY }
}

function refused(
  series: InputSeries,
  { quality, warnings }: RegularSeries,
  error: SeriesTooShortError,
): ForecastSeries {
  const { code, message, required, available } = error
  return {
    key: series.key,
    points: [],
    model: null,
    accuracy: null,
    data_quality: quality,
    warnings,
    error: { code, message, retryable: false, required, available },
  }
}

function toScore({ name, mase, wape }: Score): Score {
  return { name, mase, wape }
}
