import { dayOf } from '../../workplace/local-days.ts'
import type { Frequency } from '../shapes.ts'
import type { TimeZone } from './time-zone.ts'

/**
 * Models work on the wall clock, as a row of **cells**: one per hour (day, week) that a clock without daylight saving
 * would show, numbered from 1970. So Monday 9:00 is the same slot all year. A **step** is real time: the hour skipped
 * in spring is a cell without a step, the hour repeated in autumn is one cell with two steps.
 */
export interface Calendar {
  frequency: Frequency
  /** Slots until the pattern repeats: 168 hours, 7 days, or 52 weeks if the history spans years. */
  season: number
  /** Slots per day; 1 if a step is a day or longer. */
  day: number
  cellOf: (wallMs: number) => number
  /** The position of a cell within the season. For hours and days, 0 is Monday (midnight). */
  slotOf: (cell: number) => number
  /** Days since 1970-01-01, local; null for weeks. */
  dateOf: (cell: number) => number | null
  startOf: (cell: number) => number
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** 1970-01-01 was a Thursday, 3 days after a Monday. */
const thursday = 3

/**
 * Returns the calendar of a frequency. `cells`: length of the history; with 130 weeks or more, weeks have a yearly
 * season.
 */
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

/** Returns local dates as days since 1970-01-01. */
export const daysOf = (dates: readonly string[] = []): ReadonlySet<number> => new Set(dates.map(dayOf))

/** Returns the local time of a cell for a message: `2026-04-14`, or `2026-04-14 10:00` of an hour. */
export const localTimeOf = ({ startOf, frequency }: Calendar, cell: number): string => {
  const text = new Date(startOf(cell)).toISOString()
  return frequency === 'hour' ? text.slice(0, 16).replace('T', ' ') : text.slice(0, 10)
}

/** A step: its start (UTC) and its cell on the wall clock. */
export interface Step {
  startMs: number
  cell: number
}

/** Returns the step that contains an instant. */
export function stepAt(calendar: Calendar, zone: TimeZone, utcMs: number): Step {
  const offset = zone.offsetAt(utcMs)
  const cell = calendar.cellOf(utcMs + offset)
  if (calendar.frequency === 'hour') return { startMs: calendar.startOf(cell) - offset, cell }
  return { startMs: firstInstant(zone, calendar.startOf(cell)), cell }
}

export function stepAfter(calendar: Calendar, zone: TimeZone, step: Step): Step {
  if (calendar.frequency === 'hour') return stepAt(calendar, zone, step.startMs + hourMs)
  return { startMs: firstInstant(zone, calendar.startOf(step.cell + 1)), cell: step.cell + 1 }
}

/** Returns midnight, or the instant at which the clock skips it. */
function firstInstant(zone: TimeZone, wallMs: number): number {
  return zone.instantsOf(wallMs)[0] ?? wallMs - zone.offsetAt(wallMs - dayMs)
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by
}
