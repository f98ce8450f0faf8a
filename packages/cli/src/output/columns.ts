import { escapeControls } from './escape-controls.ts'

/** A value of a table. A time is shown relative to now on a terminal, and as it is in a pipe. */
export type Cell =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly string[]
  | { time: string | null | undefined }

/** A column of a list, or a field of a single resource. */
export interface Column<Item> {
  title: string
  value(item: Item): Cell
}

/** Formats a value in one line, without control characters. @param now undefined for absolute times */
export function formatCell(cell: Cell, now: number | undefined): string {
  if (cell === null || cell === undefined) return ''
  if (Array.isArray(cell)) return toLine(cell.join(', '))
  if (typeof cell !== 'object') return toLine(String(cell))
  const { time } = cell as { time: string | null | undefined } // the only object of the union that is no array
  if (time === null || time === undefined) return ''
  return now === undefined ? toLine(time) : formatRelativeTime(time, now)
}

/** A line break or a tab would begin another row or column. */
const toLine = (text: string): string => escapeControls(text.replace(/\s+/g, ' '))

const units: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

/** Formats a time relative to now, such as `3 minutes ago` or `in 2 days`. @param iso RFC 3339 */
function formatRelativeTime(iso: string, now: number): string {
  const seconds = Math.trunc((Date.parse(iso) - now) / 1000)
  const [unit, length] = units.find(([, unitSeconds]) => Math.abs(seconds) >= unitSeconds) ?? (['second', 1] as const)
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(Math.trunc(seconds / length), unit)
}
