import { compileTimestampFormat } from '@wp/tabular'
import type { InputPoint } from '../../forecast/index.ts'
import type { IgnoredReason } from './ignored-rows.ts'

/** A point, or the reason for which the row has none, with the cell at fault. */
export type RowResult = { point: InputPoint } | { ignored: IgnoredReason; cell: unknown }

/** Creates the function that reads the time and the value of a row. @param format of the times; default ISO 8601 */
export function createRowReader(format?: string): (time: unknown, value: unknown) => RowResult {
  const readTime = compileTimestampFormat(format)
  return (time, value) => {
    // Dates such as 20260201 are numbers in a field of numbers.
    const text = typeof time === 'string' ? time.trim() : typeof time === 'number' ? String(time) : ''
    if (text === '' && (typeof time === 'string' || time === null || time === undefined))
      return { ignored: 'time_missing', cell: time }
    const ts = readTime(text)
    if (ts === undefined) return { ignored: 'time_unreadable', cell: time }
    const measured = readNumber(value)
    return measured === undefined ? { ignored: 'value_unreadable', cell: value } : { point: { ts, value: measured } }
  }
}

/** Returns null for an empty value, which is a gap, and undefined for anything that is not a number. */
function readNumber(value: unknown): number | null | undefined {
  if (value === null || value === undefined) return null
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  // Number('') is 0.
  if (typeof value === 'string' && value.trim() === '') return null
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}
