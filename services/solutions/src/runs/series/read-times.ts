import { compileTimestampFormat, parseTimestamp } from '@wp/tabular'
import { failure } from '../../failure.ts'
import { readTimeOfDay } from './time-of-day.ts'
import type { Unusable } from './unusable-rows.ts'

/** Reads the times of rows, from one column or two. */
export interface TimeReader {
  /** Returns a time as ISO 8601. @param cells those of the columns, in their order */
  read(cells: readonly unknown[]): { ts: string } | Unusable
  /**
   * Returns what all rows together show about the reading.
   * @throws JobFailure if the format reads times otherwise than they are stored
   */
  finish(): string[]
}

/** @param format of the times, or of the dates of two columns; ISO 8601 is always read */
export function createTimeReader(columns: readonly string[], format?: string): TimeReader {
  const [first = '', second] = columns
  const text = createTextReader(columns.join('` and `'), format)
  if (second === undefined) {
    const read = (cells: readonly unknown[]) => {
      if (isEmpty(cells[0])) return { reason: 'time_missing', column: first, cell: cells[0] } as const
      const ts = text.read(cells[0])
      return ts === undefined ? ({ reason: 'time_unreadable', column: first, cell: cells[0] } as const) : { ts }
    }
    return { read, finish: text.finish }
  }
  return createPairReader([first, second], text, format)
}

const isEmpty = (cell: unknown): boolean =>
  cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '')

interface TextReader {
  read(cell: unknown): string | undefined
  finish(): string[]
}

function createTextReader(columns: string, format?: string): TextReader {
  const readFormat = compileTimestampFormat(format)
  let conflict: string | undefined
  let [isFormatProved, isIsoProved] = [false, false]
  return {
    read(cell) {
      // Dates such as 20260201 are numbers in a field of numbers.
      if (typeof cell !== 'string' && typeof cell !== 'number') return undefined
      const text = String(cell).trim()
      const formatted = readFormat(text)
      if (format === undefined) return formatted
      // The data service stores the times of a file that it has read as ISO 8601, whatever the file has.
      const iso = parseTimestamp(text)
      if (iso === null || formatted === undefined) {
        if (formatted !== undefined) isFormatProved = true
        if (iso !== null) isIsoProved = true
        return iso === null ? formatted : text
      }
      if (parseTimestamp(formatted)?.wallMs !== iso.wallMs) conflict ??= text
      return formatted
    },
    finish() {
      if (conflict === undefined || (isFormatProved && !isIsoProved)) return []
      throw failure(
        'unreadable_times',
        `\`${columns}\`: times of ISO 8601, such as '${conflict}', are read otherwise by \`${format}\`; omit timestamp_format`,
      )
    },
  }
}

const dayMs = 86_400_000
/** Tokens of hours, outside bracketed text. */
const hasHours = (format: string): boolean => /[Hh]/.test(format.replaceAll(/\[[^\]]*\]/g, ''))

/** Reads a date and a time of day, in whichever order the columns are named. */
function createPairReader(
  [first, second]: readonly [string, string],
  text: TextReader,
  format: string | undefined,
): TimeReader {
  const isJoined = format !== undefined && hasHours(format)
  const hours = { column: '', has0: false, has24: false }
  const dateOf = (cell: unknown): number | undefined => {
    const written = parseTimestamp(text.read(cell) ?? '')
    return written !== null && written.wallMs % dayMs === 0 ? written.wallMs : undefined
  }
  const combine = (date: unknown, time: unknown, column: string): string | undefined => {
    const timeMs = readTimeOfDay(time)
    if (timeMs === undefined) return undefined
    const startMs = dateOf(date)
    if (startMs === undefined) return undefined
    hours.column = column
    if (timeMs === 0) hours.has0 = true
    if (timeMs === dayMs) hours.has24 = true
    return new Date(startMs + timeMs).toISOString().slice(0, 19)
  }
  const join = (a: unknown, b: unknown): string | undefined =>
    isJoined ? text.read(`${String(a).trim()} ${String(b).trim()}`) : undefined
  return {
    read([a, b]) {
      if (isEmpty(a)) return { reason: 'time_missing', column: first, cell: a }
      if (isEmpty(b)) return { reason: 'time_missing', column: second, cell: b }
      const ts = join(a, b) ?? join(b, a) ?? combine(a, b, second) ?? combine(b, a, first)
      if (ts !== undefined) return { ts }
      const isFirstAtFault = readTimeOfDay(a) === undefined && dateOf(a) === undefined
      return isFirstAtFault
        ? { reason: 'time_unreadable', column: first, cell: a }
        : { reason: 'time_unreadable', column: second, cell: b }
    },
    finish() {
      const warnings = text.finish()
      if (!hours.has24 || hours.has0) return warnings
      return [
        ...warnings,
        `\`${hours.column}\` has the hour 24 and never 0: each hour was read as its start, 24 as midnight of the next day. ` +
          'If the column names the ends of hours, the forecast is an hour late.',
      ]
    },
  }
}
