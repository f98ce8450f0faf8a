import type { RegularSeries } from '../forecast/series/regularize.ts'
import type { ForecastSeries } from '../forecast/shapes.ts'
import { stepAt } from '../forecast/time/calendar.ts'

interface Cell {
  cell: number
  value: number
}

export function historyCells({ grid }: RegularSeries): Cell[] {
  return Array.from(grid.values, (value, index) => ({ cell: grid.first + index, value }))
}

export function forecastCells({ points }: ForecastSeries, { calendar, zone }: RegularSeries): Cell[] {
  return points.map(({ ts, mean }) => ({ cell: stepAt(calendar, zone, Date.parse(ts)).cell, value: mean }))
}

interface DayPeak {
  date: number
  weekday: number
  peak: number
}

/** Returns the highest value of each complete day that is not a holiday. */
export function peaksByDay(cells: Cell[], { calendar }: RegularSeries, holidays: ReadonlySet<number>): DayPeak[] {
  const { day, slotOf, dateOf } = calendar
  const days = new Map<number, { begins: boolean; ends: boolean; weekday: number; peak: number }>()
  for (const { cell, value } of cells) {
    const slot = slotOf(cell)
    const date = dateOf(cell)
    if (date === null || holidays.has(date)) continue
    const known = days.get(date) ?? { begins: false, ends: false, weekday: Math.floor(slot / day), peak: value }
    if (slot % day === 0) known.begins = true
    if (slot % day === day - 1) known.ends = true
    known.peak = Math.max(known.peak, value)
    days.set(date, known)
  }
  return [...days].flatMap(([date, { begins, ends, weekday, peak }]) =>
    begins && ends ? [{ date, weekday, peak }] : [],
  )
}

/** Returns the peaks of the last periods of seven days. */
export function weeklyPeaks(days: DayPeak[], weeks: number): number[] {
  const last = days.at(-1)?.date ?? 0
  const peaks = new Map<number, number>()
  for (const { date, peak } of days) {
    const weeksAgo = Math.floor((last - date) / 7)
    if (weeksAgo < weeks) peaks.set(weeksAgo, Math.max(peaks.get(weeksAgo) ?? peak, peak))
  }
  return [...peaks.values()]
}
