import { type BacktestResult, backtest } from '../../evaluation/backtest.ts'
import { combineModels } from '../../evaluation/combine-models.ts'
import type { Fold } from '../../evaluation/folds.ts'
import { naiveScale, scoreOf } from '../../evaluation/scores.ts'
import { type History, type Model, modelsFor, withHolidays } from '../../models/index.ts'
import { calendarOf } from '../../time/calendar.ts'
import type { Contribution } from '../shapes.ts'
import { withClosedDays } from './closed-days.ts'
import { countRegression } from './count-regression.ts'
import type { KnownColumn } from './regression-features.ts'
import type { SpecialDays } from './special-days.ts'

/** The history of one node, and all that is known of the days to come. Days are numbered from 1970-01-01. */
export interface NodeTask {
  first: number
  values: Float64Array
  /** 1 for a day with a value. */
  observed: Uint8Array
  /** The position of the first day on which it was in use. */
  begin: number
  special: SpecialDays
  covariate: (KnownColumn & { daysAhead: number }) | null
  isNonNegative: boolean
  horizon: number
  /** Days from the origin of each fold to the end of the history. */
  backs: readonly number[]
}

/** The forecast of a node by itself. */
export interface NodeResult {
  /** Of each fold, and of the days to come. */
  folds: Float64Array[]
  future: Float64Array
  naive: Float64Array[]
  holidays: Contribution | null
  covariate: Contribution | null
}

/** Models that forecast little more than a week better than others. */
const shortModels: ReadonlySet<string> = new Set([
  'naive',
  'weekly_profile_ar_sqrt',
  'weekly_profile_ar',
  'online_profile_ar',
  'weekly_difference_ar',
])
const shortHorizon = 14
/** The error that a covariate has to save, as a share of it. */
const minGain = 0.01

/**
 * Forecasts one node by itself: the weighted mean of all models by their backtest, with holidays and with the covariate
 * where these lower its error. Takes about 0.1 s.
 */
export function forecastNode(task: NodeTask, onProgress: (fraction: number) => void = () => {}): NodeResult {
  const { special, covariate } = task
  const hasSpecial = special.size > 0
  const rounds = 1 + Number(hasSpecial) + Number(covariate !== null)
  let round = 0
  const attempt = (options: Knowledge): Attempt => {
    const result = attemptWith(task, options, (part) => onProgress((round + part) / rounds))
    round += 1
    return result
  }
  const plain = attempt({ special: noDays, covariate: null })
  const informed = hasSpecial ? attempt({ special, covariate: null }) : plain
  // Holidays to come may be the first ones: only harm is a reason not to know them.
  const usesHolidays = hasSpecial && informed.error <= plain.error * (1 + minGain)
  const base = usesHolidays ? informed : plain
  const holidays = hasSpecial ? contributionOf(informed, plain, usesHolidays) : null
  const { naive } = plain
  if (covariate === null) return { folds: base.folds, future: base.future, naive, holidays, covariate: null }
  const known = beyondReach(attempt({ special: usesHolidays ? special : noDays, covariate }), base, task)
  const better = known.foldErrors.filter((error, fold) => error < (base.foldErrors[fold] ?? 0)).length
  const usesCovariate = known.error < base.error * (1 - minGain) && 2 * better > known.foldErrors.length
  const { folds, future } = usesCovariate ? known : base
  return { folds, future, naive, holidays, covariate: contributionOf(known, base, usesCovariate) }
}

const noDays: SpecialDays = new Map()

interface Knowledge {
  special: SpecialDays
  covariate: KnownColumn | null
}

interface Attempt extends Pick<NodeResult, 'folds' | 'future' | 'naive'> {
  error: number
  foldErrors: number[]
  wape: number | null
}

function attemptWith(task: NodeTask, knowledge: Knowledge, onProgress: (part: number) => void): Attempt {
  const { first, values, observed, isNonNegative, horizon, backs } = task
  const calendar = calendarOf('day')
  const history: History = { first, values, observed, calendar }
  const bounds = { low: isNonNegative ? 0 : Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }
  const simple = modelsFor(calendar, isNonNegative).filter(
    ({ name }) => horizon <= shortHorizon || !shortModels.has(name),
  )
  const models = modelsWith(knowledge, simple, isNonNegative).map(withClosedDays)
  const folds = backs.map((back): Fold => ({ origin: values.length - back, cells: horizon }))
  let done = 0
  const tested = backtest(models, history, folds, bounds, () => {
    done += 1
    onProgress(done / (folds.length + 1))
  })
  const grid = { first, values, observed }
  const scale = naiveScale(grid, folds, calendar.season)
  const input = { history, grid, folds, scale, cells: horizon, bounds }
  const { candidates, forecast } = combineModels(tested.results, models, input)
  const { predictions } = candidates[0].result
  const baseline = tested.results.find(({ name }) => name === models[0]?.name)
  return measured({ folds: predictions, future: forecast, naive: baseline?.predictions ?? predictions }, task)
}

function modelsWith({ special, covariate }: Knowledge, models: Model[], isNonNegative: boolean): Model[] {
  const holidays = new Set([...special].flatMap(([day, names]) => (names.includes('holiday') ? [day] : [])))
  const regressions = [false, true].map((hasYearlySeason) =>
    countRegression(`count_regression${hasYearlySeason ? '_yearly' : ''}`, { special, hasYearlySeason, covariate }),
  )
  return [
    ...models.map((model, index) => (index === 0 ? model : withHolidays(model, holidays))),
    ...(isNonNegative ? regressions : []),
  ]
}

/** Replaces days for which the covariate is not known by the forecast without it. */
function beyondReach(known: Attempt, base: Attempt, task: NodeTask): Attempt {
  const { covariate, first, values, backs } = task
  if (covariate === null) return base
  const mixed = (withColumn: Float64Array, without: Float64Array | undefined, firstDay: number): Float64Array =>
    withColumn.map((value, ahead) => {
      const at = covariate.values[firstDay + ahead - covariate.first] ?? Number.NaN
      return ahead < covariate.daysAhead && !Number.isNaN(at) ? value : (without?.[ahead] ?? value)
    })
  const end = first + values.length
  const folds = known.folds.map((fold, index) => mixed(fold, base.folds[index], end - (backs[index] ?? 0)))
  return measured({ ...known, folds, future: mixed(known.future, base.future, end) }, task)
}

function measured(
  forecasts: Pick<Attempt, 'folds' | 'future' | 'naive'>,
  { first, values, observed, horizon, backs }: NodeTask,
): Attempt {
  const folds = backs.map((back): Fold => ({ origin: values.length - back, cells: horizon }))
  const result: BacktestResult = { name: '', predictions: forecasts.folds }
  const grid = { first, values, observed }
  const { error, wape } = scoreOf(result, folds, grid, 1)
  const foldErrors = folds.map(
    (fold, index) => scoreOf({ name: '', predictions: forecasts.folds.slice(index, index + 1) }, [fold], grid, 1).error,
  )
  return { ...forecasts, error, wape, foldErrors }
}

function contributionOf(withIt: Attempt, without: Attempt, isUsed: boolean): Contribution {
  return { wapeWith: withIt.wape, wapeWithout: without.wape, isUsed }
}
