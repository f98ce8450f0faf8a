import type { Calendar } from './calendar.ts'
import type { Frequency } from './shapes.ts'

/** One rehearsal: history up to `origin` (an index), forecast of the `cells` after it. */
export interface Fold {
  origin: number
  cells: number
}

/**
 * The fewest steps of history for a forecast of `horizon` steps: enough to rehearse once at full length after one
 * season to learn from.
 */
export function minimumLength(frequency: Frequency, horizon: number): number {
  if (frequency === 'hour') return 168 + Math.max(168, horizon)
  if (frequency === 'day') return 14 + Math.max(14, horizon)
  return 8 + Math.max(4, horizon)
}

/**
 * Rolling origins over the last weeks, oldest first. Origins lie as far apart as the horizon where that is three to
 * seven days, so that every weekday is rehearsed and windows overlap little.
 */
export function planFolds(length: number, horizon: number, calendar: Calendar): Fold[] {
  const { spacing, most } = paceOf(calendar, horizon)
  const last = length - horizon
  const trainings = calendar.season > 1 ? [4, 2, 1].map((seasons) => seasons * calendar.season + 1) : [16, 8]
  for (const training of trainings) {
    const count = Math.min(most, Math.floor((last - training) / spacing) + 1)
    if (count >= 5) return foldsFrom(last, spacing, count, horizon)
  }
  return shortFolds(length, horizon, spacing, calendar)
}

function foldsFrom(last: number, spacing: number, count: number, cells: number): Fold[] {
  return Array.from({ length: count }, (_, index) => ({ origin: last - (count - 1 - index) * spacing, cells }))
}

/** With little history the later rehearsals end early, where the data does. */
function shortFolds(length: number, horizon: number, spacing: number, { season, day }: Calendar): Fold[] {
  const least = Math.min(season > 1 ? season : 8, length - horizon)
  // Two seasons let every model take part; they are kept where a season and a horizon remain to rehearse on.
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

function paceOf({ frequency }: Calendar, horizon: number): { spacing: number; most: number } {
  if (frequency === 'week') return { spacing: 1, most: 26 }
  if (frequency === 'day') return { spacing: Math.min(7, Math.max(3, horizon)), most: 24 }
  const days = Math.min(7, Math.max(3, Math.ceil(horizon / 24)))
  return { spacing: days * 24, most: days === 7 ? 10 : 14 }
}
