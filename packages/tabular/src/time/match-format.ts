import { gregorianYear, isDate, isTime } from './calendar.ts'
import { type FormatToken, parseFormat } from './format-tokens.ts'
import { createMonthNames, monthKey } from './month-names.ts'

/** The parts of a time as a text has them. The hour may be 24. */
export interface TimestampParts {
  year: number
  month: number
  day: number
  /** Undefined: a date without a time. */
  hour: number | undefined
  minute: number
  second: number
  /** Digits of the fraction of a second, empty without one. */
  fraction: string
  /** As it is written, empty for a local time. */
  offset: string
}

/** Returns the parts of a text, undefined if it is not of the format or not a time of the calendar. */
export type TimestampMatcher = (text: string) => TimestampParts | undefined

/**
 * Compiles a format into a matcher.
 * @param known the names of months, where several formats share them: they take long to list
 * @throws TimestampFormatError
 */
export function compileMatcher(format: string, known?: ReadonlyMap<string, number>): TimestampMatcher {
  const tokens = parseFormat(format)
  let monthNames = known
  // Listed when a text has one: a process that starts compiles formats that it may never use.
  const monthOf = (name: string) => {
    monthNames ??= createMonthNames()
    return monthNames.get(monthKey(name))
  }
  const reserved = tokens.map((_, index) => digitsAfter(tokens, index))
  const hasHour = tokens.some((token) => token.kind === 'digits' && token.part === 'hour')
  return (text) => {
    const found = emptyParts()
    let at = 0
    for (let index = 0; index < tokens.length; index++) {
      const token = tokens[index]
      if (token === undefined) return undefined
      at =
        token.kind === 'digits'
          ? readDigits(text, at, token, reserved[index] ?? 0, found)
          : readOther(text, at, token, found, monthOf)
      if (at < 0) return undefined
    }
    return at === text.length ? checked(found, hasHour) : undefined
  }
}

interface FoundParts extends Omit<TimestampParts, 'hour'> {
  hour: number
  half: 'am' | 'pm' | undefined
}

const emptyParts = (): FoundParts => ({
  year: 0,
  month: 0,
  day: 0,
  hour: 0,
  minute: 0,
  second: 0,
  fraction: '',
  offset: '',
  half: undefined,
})

/** Returns the least number of digits that the tokens directly after one need. */
function digitsAfter(tokens: readonly FormatToken[], index: number): number {
  let sum = 0
  for (const token of tokens.slice(index + 1)) {
    if (token.kind !== 'digits') break
    sum += token.min
  }
  return sum
}

function readDigits(
  text: string,
  start: number,
  { part, min, max }: FormatToken & { kind: 'digits' },
  reserved: number,
  found: FoundParts,
): number {
  let run = start
  while (run < text.length && isDigit(text.charCodeAt(run))) run++
  const length = Math.min(max, run - start - reserved)
  if (length < min) return -1
  const written = text.slice(start, start + length)
  if (part === 'fraction') found.fraction = written
  else if (part === 'shortYear') found.year = 2000 + Number(written)
  else found[part] = Number(written)
  return start + length
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57

function readOther(
  text: string,
  at: number,
  token: Exclude<FormatToken, { kind: 'digits' }>,
  found: FoundParts,
  monthOf: (name: string) => number | undefined,
): number {
  if (token.kind === 'text') return readText(text, at, token.text)
  const [written] = matchAt(patterns[token.kind], text, at) ?? []
  if (written === undefined) return -1
  if (token.kind === 'offset') found.offset = written
  if (token.kind === 'half') found.half = /^p/i.test(written) ? 'pm' : 'am'
  if (token.kind === 'monthName') {
    const month = monthOf(written)
    if (month === undefined) return -1
    found.month = month
  }
  return at + written.length
}

const patterns = {
  offset: /z|[+-]\d{2}(?::?\d{2})?/iuy,
  half: /[ap](?:m|\.[ \u00a0\u202f]?m\.)/iuy,
  monthName: /[\p{L}\p{M}][\p{L}\p{M}.]{2,19}/uy,
} as const

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** Spaces that programs write between the parts of a time are alike; case does not matter. */
function readText(text: string, start: number, expected: string): number {
  for (let index = 0; index < expected.length; index++) {
    const [wanted, actual] = [expected.charCodeAt(index), text.charCodeAt(start + index)]
    if (wanted === actual || (isSpace(wanted) && isSpace(actual))) continue
    if (expected.charAt(index).toLowerCase() !== text.charAt(start + index).toLowerCase()) return -1
  }
  return start + expected.length
}

const isSpace = (code: number): boolean => code === 32 || code === 0xa0 || code === 0x202f || code === 0x2009

function checked(parts: FoundParts, hasHour: boolean): TimestampParts | undefined {
  const { month, day, minute, second, fraction, offset, half } = parts
  const year = gregorianYear(parts.year)
  if (half !== undefined && (parts.hour < 1 || parts.hour > 12)) return undefined
  const hour = half === undefined ? parts.hour : (parts.hour % 12) + (half === 'pm' ? 12 : 0)
  if (!isDate(year, month, day) || !isTime(hour, minute, second, fraction !== '' && Number(fraction) > 0))
    return undefined
  return { year, month, day, hour: hasHour ? hour : undefined, minute, second, fraction, offset }
}
