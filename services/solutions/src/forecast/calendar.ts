import type { Frequency } from './shapes.ts'
import type { Zone } from './zone.ts'

/**
 * Models see the wall clock: a row of **cells**, one for each hour (day, week) a clock without summer time would show,
 * numbered from 1970. So Monday 9:00 is the same slot all year, whatever UTC does. A **step** is real time: the hour
 * the clock skips in spring is a cell without a step, the hour it repeats in autumn is one cell of two steps.
 */
export interface Calendar {
  frequency: Frequency
  /** Slots before the pattern repeats: 168 hours, 7 days, and 52 weeks where there are years of them. */
  season: number
  /** Slots in a day; 1 where a step is a day or longer. */
  day: number
  cellOf: (wallMs: number) => number
  /** The position of a cell within the season; for hours and days 0 is Monday('s midnight). */
  slotOf: (cell: number) => number
  /** Days since 1970-01-01, local; null for weeks. */
  dateOf: (cell: number) => number | null
  startOf: (cell: number) => number
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** 1970-01-01 was a Thursday, 3 days after a Monday. */
const thursday = 3

/** The calendar of a frequency; `cells` is the length of the history, which decides whether weeks have a year. */
export function calendarOf(frequency: Frequency, cells = 0): Calendar {
  if (frequency === 'hour') {
    return {
      frequency,
      season: 168,
      day: 24,
      cellOf: (wallMs) => Math.floor(wallMs / hourMs),
      slotOf: (cell) => modulo(cell + 24 * thursday, 168),
      dateOf: (cell) => Math.floor(cell / 24),
      startOf: (cell) => cell * hourMs,
    }
  }
  if (frequency === 'day') {
    return {
      frequency,
      season: 7,
      day: 1,
      cellOf: (wallMs) => Math.floor(wallMs / dayMs),
      slotOf: (cell) => modulo(cell + thursday, 7),
      dateOf: (cell) => cell,
      startOf: (cell) => cell * dayMs,
    }
  }
  const season = cells >= 130 ? 52 : 1
  return {
    frequency,
    season,
    day: 1,
    cellOf: (wallMs) => Math.floor((Math.floor(wallMs / dayMs) + thursday) / 7),
    slotOf: (cell) => modulo(cell, season),
    dateOf: () => null,
    startOf: (cell) => (cell * 7 - thursday) * dayMs,
  }
}

/** A step: when it starts (UTC), and the cell of the wall clock it fills. */
export interface Step {
  startMs: number
  cell: number
}

/** The step an instant falls into. */
export function stepAt(calendar: Calendar, zone: Zone, utcMs: number): Step {
  const offset = zone.offsetAt(utcMs)
  const cell = calendar.cellOf(utcMs + offset)
  if (calendar.frequency === 'hour') return { startMs: calendar.startOf(cell) - offset, cell }
  return { startMs: firstInstant(zone, calendar.startOf(cell)), cell }
}

export function stepAfter(calendar: Calendar, zone: Zone, step: Step): Step {
  if (calendar.frequency === 'hour') return stepAt(calendar, zone, step.startMs + hourMs)
  return { startMs: firstInstant(zone, calendar.startOf(step.cell + 1)), cell: step.cell + 1 }
}

/** Midnight, or the moment the clock jumps over it. */
function firstInstant(zone: Zone, wallMs: number): number {
  return zone.instantsOf(wallMs)[0] ?? wallMs - zone.offsetAt(wallMs - dayMs)
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by
}
