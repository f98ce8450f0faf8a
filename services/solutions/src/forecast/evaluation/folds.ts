import type { Frequency } from '../shapes.ts'
import type { Calendar } from '../time/calendar.ts'

/** One fold of a backtest: history before `origin` (an index), forecast of the `cells` from there on. */
export interface Fold {
  origin: number
  cells: number
}

/** Hours before the first fold of a combination: two weeks, and the lags of the first value of an autoregression. */
const minCombinationTraining = 364

/**
 * Returns the minimum number of steps of history for a forecast of `horizon` steps: one season to fit on and one fold
 * of full length.
 */
export function minimumLength(frequency: Frequency, horizon: number): number {
  if (frequency === 'hour') return 168 + Math.max(168, horizon)
  if (frequency === 'day') return 14 + Math.max(14, horizon)
  return 8 + Math.max(4, horizon)
}

/**
 * Plans rolling origins over the last weeks, oldest first. Origins are a horizon apart if that is three to seven days,
 * so that every weekday is tested and windows overlap little.
 */
export function planFolds(length: number, horizon: number, calendar: Calendar): Fold[] {
  const { spacing, most: maxFolds } = foldSpacing(calendar, horizon)
  const last = length - horizon
  const trainings = calendar.season > 1 ? [4, 2, 1].map((seasons) => seasons * calendar.season + 1) : [16, 8]
  for (const training of trainings) {
    const count = Math.min(maxFolds, Math.floor((last - training) / spacing) + 1)
    if (count >= 5) return foldsFrom(last, spacing, count, horizon)
  }
  return shortFolds(length, horizon, spacing, calendar)
}

/**
 * Plans the folds that weights of models are computed from, oldest first: many recent ones. Returns null for a history
 * that is too short for them, and for days and weeks.
 */
export function planCombinationFolds(length: number, horizon: number, { frequency }: Calendar): Fold[] | null {
  if (frequency !== 'hour') return null
  const [count, longestDays] = horizon <= 72 ? [12, 1] : [8, 7]
  const last = length - horizon
  const days = Math.min(longestDays, Math.floor((last - minCombinationTraining) / (count - 1) / 24))
  return days < 1 ? null : foldsFrom(last, 24 * days, count, horizon)
}

/** Returns the numbers of the folds that share a cell with a fold, itself included. */
export function overlappingFolds(fold: Fold, folds: Fold[]): ReadonlySet<number> {
  const overlaps = ({ origin, cells }: Fold) => origin < fold.origin + fold.cells && fold.origin < origin + cells
  return new Set(folds.flatMap((other, number) => (overlaps(other) ? [number] : [])))
}

function foldsFrom(last: number, spacing: number, count: number, cells: number): Fold[] {
  return Array.from({ length: count }, (_, index) => ({ origin: last - (count - 1 - index) * spacing, cells }))
}

/** Plans folds for a short history: later folds are cut at the end of the data. */
function shortFolds(length: number, horizon: number, spacing: number, { season, day }: Calendar): Fold[] {
  const least = Math.min(season > 1 ? season : 8, length - horizon)
  // Two seasons let every model take part. They are used if a season and a horizon remain for testing.
  const two = 2 * season + 1
  const first = season > 1 && length - two >= Math.max(horizon, season) ? two : least
  const fifth = Math.round((length - first) / 5 / day) * day
  const step = Math.max(day, Math.min(spacing, fifth))
  const folds: Fold[] = []
  for (let origin = length - step; origin >= first; origin -= step) {
    folds.unshift({ origin, cells: Math.min(horizon, length - origin) })
  }
  return folds
}

function foldSpacing({ frequency }: Calendar, horizon: number): { spacing: number; most: number } {
  if (frequency === 'week') return { spacing: 1, most: 26 }
  if (frequency === 'day') return { spacing: Math.min(7, Math.max(3, horizon)), most: 24 }
  const days = Math.min(7, Math.max(3, Math.ceil(horizon / 24)))
  return { spacing: days * 24, most: days === 7 ? 10 : 14 }
}
