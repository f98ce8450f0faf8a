import { readTimeOfDay } from '../runs/series/time-of-day.ts'
import { type LocalMoment, readDay, readMoment, type ZoneOffset } from './read-cells.ts'

/** Why a row cannot be used, with the text of a cell that names no person. */
export interface UnusedRow {
  reason: string
  example: string | null
}

/** The cells of a row by role. */
export type Cells = Readonly<Record<string, unknown>>

/** Returns a row that cannot be used because of a cell. */
export const unused = (reason: string, cell: unknown): UnusedRow => ({
  reason,
  example: cell === null || cell === undefined ? null : String(cell).slice(0, 80),
})

/** Returns a row whose time is missing or cannot be read. */
export const unusedTime = (role: string, cell: unknown): UnusedRow =>
  cell === null || cell === undefined || cell === ''
    ? unused(`${role}_missing`, null)
    : unused(`${role}_unreadable`, cell)

const secondMs = 1_000

/** Reads a time, or, with a column of days, a time of day. */
export function readTime(cells: Cells, role: string, zone: ZoneOffset): LocalMoment | UnusedRow {
  const cell = cells[role]
  if (!Object.hasOwn(cells, 'date')) return readMoment(cell, zone) ?? unusedTime(role, cell)
  const date = readDay(cells.date, zone)
  if (date === undefined) return unusedTime('date', cells.date)
  const ms = readTimeOfDay(cell)
  if (ms === undefined) return unusedTime(role, cell)
  const second = Math.floor(ms / secondMs)
  return momentAt(date.day, second, false)
}

/** Seconds may exceed a day. */
export function momentAt(day: number, seconds: number, isInstant: boolean): LocalMoment {
  const [after, second] = [Math.floor(seconds / secondsPerDay), seconds % secondsPerDay]
  return { day: day + after, second, minute: Math.floor(second / 60), isInstant }
}
const secondsPerDay = 86_400
