import type { Grid } from '../series/grid.ts'
import { median } from '../statistics.ts'
import type { Calendar } from '../time/calendar.ts'
import { withoutHolidays } from './holidays.ts'
import type { Model } from './model.ts'

/** A named kind of day, such as school holidays. Dates are days since 1970-01-01. */
export interface DayKind {
  name: string
  dates: ReadonlySet<number>
}

/** The effect of a kind of day, estimated from the history. */
export interface CalendarEffect {
  name: string
  /** The days of this kind with values. */
  days: number
  /** Their level as a share of usual days; 1 without any day. */
  factor: number
  isSignificant: boolean
}

/** The factor of each date with a significant effect. */
export type DateFactors = ReadonlyMap<number, number>

/** Usual days of the same weekday that a day is compared with, and the weeks in which they are searched. */
const compared = 6
const maxWeeksApart = 10
/** The share of the usual day below which a weekday counts as closed: its ratios would be arbitrary. */
const closedShare = 0.05
/** An effect is significant at 1 %, from 5 % and from two days on. */
const minZ = 2.58
const minEffect = 0.05
const minDays = 2
/** The least standard deviation of usual days, so that no scatter does not make everything significant. */
const minDeviation = 0.02
/** Below this factor values cannot be scaled up to usual ones; they are replaced. */
const minScalable = 0.2

/**
 * Estimates the effect of each kind: the mean ratio of its days to usual days of the same weekday around them. It is
 * significant if it differs from 1 by more than the scatter of usual days explains; days of one week count as one,
 * because weeks have levels of their own.
 * @param end the cell after the last one that is used
 * @param excluded dates that are neither usual nor of a kind: holidays and closures
 */
export function estimateEffects(
  grid: Grid,
  calendar: Calendar,
  kinds: readonly DayKind[],
  excluded: ReadonlySet<number>,
  end: number,
): CalendarEffect[] {
  const totals = dailyTotals(grid, calendar, end)
  const special = new Set([...excluded, ...kinds.flatMap(({ dates }) => [...dates])])
  const usual = new Map([...totals].filter(([date]) => !special.has(date)))
  const least = closedShare * median([...usual.values()].filter((total) => total > 0))
  const ratioOf = (date: number): number[] => {
    const expected = expectedTotal(usual, date)
    return expected === undefined || expected <= least ? [] : [(totals.get(date) ?? 0) / expected]
  }
  const scatter = [...usual.keys()].flatMap(ratioOf).map((ratio) => Math.abs(ratio - 1))
  const deviation = Math.max(minDeviation, 1.4826 * median(scatter))
  return kinds.map(({ name, dates }) => {
    const found = [...dates].filter((date) => totals.has(date) && !excluded.has(date) && ratioOf(date).length > 0)
    const ratios = found.flatMap(ratioOf)
    if (ratios.length === 0) return { name, days: 0, factor: 1, isSignificant: false }
    const factor = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length
    const weeks = new Set(found.map((date) => Math.floor((date + 3) / 7))).size
    const z = (Math.abs(factor - 1) * Math.sqrt(weeks)) / deviation
    const isSignificant = ratios.length >= minDays && z >= minZ && Math.abs(factor - 1) >= minEffect
    return { name, days: ratios.length, factor, isSignificant }
  })
}

/** Returns the factor of each date of a significant kind. */
export function dateFactors(kinds: readonly DayKind[], effects: readonly CalendarEffect[]): DateFactors {
  return new Map(
    kinds.flatMap(({ dates }, index) => {
      const effect = effects[index]
      return effect?.isSignificant ? [...dates].map((date): [number, number] => [date, effect.factor]) : []
    }),
  )
}

/**
 * Adds calendar effects to a model. It is fitted to a history in which they are removed; its forecast is multiplied by
 * the factors of future dates.
 * @param factorsBefore the factors known before a cell
 */
export function withCalendarEffects(model: Model, factorsBefore: (cell: number) => DateFactors): Model {
  return {
    ...model,
    predict: (history, cells) => {
      const { calendar, first } = history
      const next = first + history.values.length
      const factors = factorsBefore(next)
      if (factors.size === 0) return model.predict(history, cells)
      const factorAt = (cell: number): number => factors.get(calendar.dateOf(cell) ?? Number.NaN) ?? 1
      const tiny = new Set([...factors].flatMap(([date, factor]) => (factor < minScalable ? [date] : [])))
      const replaced = withoutHolidays(history, tiny)
      const usual = replaced.values.map((value, index) => {
        const factor = factorAt(first + index)
        return factor < minScalable ? value : value / factor
      })
      return model.predict({ ...replaced, values: usual }, cells).map((value, ahead) => value * factorAt(next + ahead))
    },
  }
}

/** Returns the total of each date with an observed value, in order. */
function dailyTotals({ first, values, observed }: Grid, { dateOf }: Calendar, end: number): Map<number, number> {
  const totals = new Map<number, number>()
  for (let index = 0; index < values.length && first + index < end; index += 1) {
    const date = dateOf(first + index)
    if (date === null || !observed[index]) continue
    totals.set(date, (totals.get(date) ?? 0) + (values[index] ?? 0))
  }
  return totals
}

/** Returns the median of the nearest usual days of the same weekday; undefined if there are fewer than two. */
function expectedTotal(usual: ReadonlyMap<number, number>, date: number): number | undefined {
  const near: number[] = []
  for (let weeks = 1; weeks <= maxWeeksApart && near.length < compared; weeks += 1)
    near.push(...[date - 7 * weeks, date + 7 * weeks].flatMap((other) => usual.get(other) ?? []))
  return near.length < 2 ? undefined : median(near)
}
