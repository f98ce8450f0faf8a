import { TimeCell } from '../raw-table.ts'

/** Kind of time as which a number format shows a number. */
export interface DateFormat {
  hasDate: boolean
  hasTime: boolean
  hasFraction: boolean
  /** True for elapsed time such as `[h]:mm`, which goes beyond a day. */
  isDuration: boolean
}

/** Kind of number as which a number format shows a number. */
export interface NumberDisplay {
  /** Digits to which the number is filled up with zeros, as those of a badge or a postal code are. */
  minDigits: number
  isPercentage: boolean
}

/**
 * Formats of times and percentages that workbooks do not declare (ECMA-376, part 1, section 18.8.30, and their East
 * Asian variants).
 */
const builtInFormats: ReadonlyMap<number, string> = new Map([
  ...[14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id): [number, string] => [
    id,
    'yyyy-mm-dd',
  ]),
  ...[18, 19, 20, 21, 32, 33, 34, 35, 45, 55, 56].map((id): [number, string] => [id, 'h:mm:ss']),
  ...[
    [9, '0%'] as const,
    [10, '0.00%'] as const,
    [22, 'yyyy-mm-dd h:mm'] as const,
    [46, '[h]:mm:ss'] as const,
    [47, 'mm:ss.0'] as const,
  ],
])

/** Returns what a format shows, undefined if the number as it is. @param code of the format, if it is declared */
export function cellFormatOf(id: number, code: string | undefined): DateFormat | NumberDisplay | undefined {
  const written = (code ?? builtInFormats.get(id) ?? '').split(';')[0] ?? ''
  const isDuration = /\[(?:h+|m+|s+)\]/i.test(written)
  const bare = written
    .replaceAll(/"[^"]*"?|\\.|_.|\*./g, '')
    .replaceAll(/\[(?!(?:h+|m+|s+)\])[^[\]]*\]/gi, '')
    .replaceAll(/general/gi, '')
  if (!/[ymdhs]/i.test(bare)) return numberDisplayOf(written, bare)
  const hasDate = /[yd]/i.test(bare) || (/m/i.test(bare) && !/[hs]/i.test(bare))
  return { hasDate, hasTime: /[hs]/i.test(bare), hasFraction: /s+[.,]0/i.test(bare), isDuration }
}

/** Fewer zeros are those of numbers, such as days and hours. */
const minZeros = 3

function numberDisplayOf(written: string, bare: string): NumberDisplay | undefined {
  const minDigits = /^0+$/.test(written) && written.length >= minZeros ? written.length : 0
  const isPercentage = bare.includes('%')
  return minDigits === 0 && !isPercentage ? undefined : { minDigits, isPercentage }
}

/** Returns a number as text files have it that are made of the workbook: with its zeros, and 5 for 5 %. */
export function readDisplayed(number: number, { minDigits, isPercentage }: NumberDisplay): number | string {
  // Products have rounding errors beyond the digits that workbooks keep.
  if (isPercentage) return Number((number * 100).toPrecision(15))
  return Number.isInteger(number) && number >= 0 ? String(number).padStart(minDigits, '0') : number
}

const dayMs = 86_400_000
/** Times of day after midnight, as of a shift that began the day before, are no dates of the first year. */
const maxTimeOfDayMs = 366 * dayMs
const epoch1900 = Date.UTC(1899, 11, 30)
const epoch1904 = Date.UTC(1904, 0, 1)
const lastDay = Date.UTC(9999, 11, 31)

/**
 * Converts a serial number to a local time, a date, or, below one year, a time of day. Serial numbers have rounding
 * errors: they are rounded to the second, or to the millisecond if the format shows fractions.
 * @returns undefined if the number is no time
 */
export function readSerial(serial: number, format: DateFormat, uses1904: boolean): TimeCell | string | undefined {
  if (!Number.isFinite(serial) || serial < 0) return undefined
  const unitMs = format.hasFraction ? 1 : 1000
  const ms = Math.round((serial * dayMs) / unitMs) * unitMs
  if (format.isDuration) return timeOfDay(ms)
  if (ms < maxTimeOfDayMs && !format.hasDate) return timeOfDay(ms % dayMs)
  // In the system of 1900 the day 60 is 29 February 1900, which did not exist; the days before it are one later.
  const isBeforeLeapDay = !uses1904 && serial < 60
  const instant = (uses1904 ? epoch1904 : epoch1900) + ms + (isBeforeLeapDay ? dayMs : 0)
  if (instant > lastDay + dayMs || (!uses1904 && (serial < 1 || Math.floor(serial) === 60))) return undefined
  const iso = new Date(instant).toISOString()
  const isDate = format.hasDate && ms % dayMs === 0 && !format.hasTime
  return new TimeCell(isDate ? iso.slice(0, 10) : iso.slice(0, 19) + fractionOf(ms))
}

const fractionOf = (ms: number): string => (ms % 1000 === 0 ? '' : `.${String(ms % 1000).padStart(3, '0')}`)

const two = (number: number): string => String(number).padStart(2, '0')

/** Returns hours, minutes and seconds; the hours of a duration exceed 24. */
function timeOfDay(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}${fractionOf(ms)}`
}
