import { nextDay } from './calendar.ts'
import { dateText } from './format-timestamp.ts'
import { compileMatcher, type TimestampParts } from './match-format.ts'
import { parseTimestamp } from './parse-timestamp.ts'

/** Returns a time as ISO 8601 text, or undefined if the text is not a time of the format. */
export type TimestampReader = (text: string) => string | undefined

/** Reads ISO 8601 as it is. */
const readIso: TimestampReader = (text) => (parseTimestamp(text) === null ? undefined : text)

/**
 * Compiles a format of times, such as `DD.MM.YYYY HH:mm`. The tokens are documented at `timestamp_format` in the
 * contract. Without a format, times are ISO 8601. The names of months may be of any of several languages; 24:00 is
 * midnight of the next day.
 * @throws TimestampFormatError
 */
export function compileTimestampFormat(format?: string): TimestampReader {
  if (format === undefined) return readIso
  if (format === 'X') return epochReader(/^-?\d{1,12}(\.\d{1,9})?$/, 1000)
  if (format === 'x') return epochReader(/^-?\d{1,15}$/, 1)
  const match = compileMatcher(format)
  return (text) => {
    const parts = match(text)
    return parts && toIso(parts)
  }
}

function toIso({ year, month, day, hour, minute, second, fraction, offset }: TimestampParts): string {
  if (hour === undefined) return dateText(year, month, day)
  const date = hour === 24 ? dateText(...nextDay(year, month, day)) : dateText(year, month, day)
  const two = (number: number) => `${number}`.padStart(2, '0')
  return `${date}T${two(hour === 24 ? 0 : hour)}:${two(minute)}:${two(second)}.${fraction || '0'}${offset}`
}

function epochReader(pattern: RegExp, unitMs: number): TimestampReader {
  return (text) => {
    const date = new Date(pattern.test(text) ? Math.round(Number(text) * unitMs) : Number.NaN)
    return Number.isNaN(date.getTime()) ? undefined : readIso(date.toISOString())
  }
}
