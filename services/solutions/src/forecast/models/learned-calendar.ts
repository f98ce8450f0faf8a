import type { RegularSeries } from '../series/regularize.ts'
import type { ForecastInput, ForecastSeries } from '../shapes.ts'
import { daysOf } from '../time/calendar.ts'
import { type DateFactors, type DayKind, dateFactors, estimateEffects } from './calendar-effects.ts'

/** Effects of the kinds of days in the calendar, estimated from the history of a series. */
export interface LearnedCalendar {
  /** Returns the factors that the history before a cell shows, so that a backtest knows nothing of later values. */
  factorsBefore: (cell: number) => DateFactors
  /** The dates with a significant effect in all of the history. */
  unusualDates: ReadonlySet<number>
  /** The effects in the response; none without a calendar, or for weeks, which have no days. */
  views: NonNullable<ForecastSeries['calendar_effects']>
}

/** @param excluded holidays and closures, which are of no kind */
export function learnCalendar(
  { grid, calendar }: Pick<RegularSeries, 'grid' | 'calendar'>,
  input: ForecastInput['calendar'],
  excluded: ReadonlySet<number>,
): LearnedCalendar {
  const kinds = calendar.frequency === 'week' ? [] : dayKindsOf(input, excluded)
  const known = new Map<number, DateFactors>()
  const factorsBefore = (cell: number): DateFactors => {
    const factors = known.get(cell) ?? dateFactors(kinds, estimateEffects(grid, calendar, kinds, excluded, cell))
    known.set(cell, factors)
    return factors
  }
  const end = grid.first + grid.values.length
  return {
    factorsBefore,
    unusualDates: new Set(factorsBefore(end).keys()),
    views: estimateEffects(grid, calendar, kinds, excluded, end).map(({ name, days, factor, isSignificant }) => ({
      name,
      days,
      effect: days === 0 ? null : factor - 1,
      applied: isSignificant,
    })),
  }
}

/** A date is of the first kind that has it. */
function dayKindsOf(input: ForecastInput['calendar'] = [], excluded: ReadonlySet<number>): DayKind[] {
  const taken = new Set(excluded)
  return input.map(({ name, dates }) => {
    const own = new Set([...daysOf(dates)].filter((date) => !taken.has(date)))
    for (const date of own) taken.add(date)
    return { name, dates: own }
  })
}
