import { parseTimestamp } from './parse-timestamp.ts'

/** Returns a time as ISO 8601 text, or undefined if the text is not a time of the format. */
export type TimestampReader = (text: string) => string | undefined

/** Thrown for a format that is not valid. The message follows the name of the field. */
export class TimestampFormatError extends Error {
  override readonly name = 'TimestampFormatError'
}

/** Reads ISO 8601 as it is. */
const readIso: TimestampReader = (text) => (parseTimestamp(text) === null ? undefined : text)

type Part = 'year' | 'shortYear' | 'month' | 'day' | 'hour' | 'half' | 'minute' | 'second' | 'fraction' | 'offset'
type Parts = Partial<Record<Part, string>>

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const tokens: Readonly<Record<string, { part: Part; pattern: string }>> = {
  YYYY: { part: 'year', pattern: String.raw`\d{4}` },
  YY: { part: 'shortYear', pattern: String.raw`\d{2}` },
  MMM: { part: 'month', pattern: months.join('|') },
  MM: { part: 'month', pattern: String.raw`\d{2}` },
  M: { part: 'month', pattern: String.raw`\d{1,2}` },
  DD: { part: 'day', pattern: String.raw`\d{2}` },
  D: { part: 'day', pattern: String.raw`\d{1,2}` },
  HH: { part: 'hour', pattern: String.raw`\d{2}` },
  H: { part: 'hour', pattern: String.raw`\d{1,2}` },
  hh: { part: 'hour', pattern: '0[1-9]|1[0-2]' },
  h: { part: 'hour', pattern: '0?[1-9]|1[0-2]' },
  A: { part: 'half', pattern: '[ap]m' },
  mm: { part: 'minute', pattern: String.raw`\d{2}` },
  ss: { part: 'second', pattern: String.raw`\d{2}` },
  SSS: { part: 'fraction', pattern: String.raw`\d{1,9}` },
  Z: { part: 'offset', pattern: String.raw`z|[+-]\d{2}(?::?\d{2})?` },
}

/** A token, bracketed text, or one other character. */
const tokenPattern = /YYYY|YY|MMM|MM?|DD?|HH?|hh?|mm|ss|SSS|A|Z|\[([^\]]*)\]|(.)/gsu

/**
 * Compiles a format of times, such as `DD.MM.YYYY HH:mm`. The tokens are documented at `timestamp_format` in the
 * contract. Without a format, times are ISO 8601.
 * @throws TimestampFormatError
 */
export function compileTimestampFormat(format?: string): TimestampReader {
  if (format === undefined) return readIso
  if (format === 'X') return epochReader(/^-?\d{1,12}(\.\d{1,9})?$/, 1000)
  if (format === 'x') return epochReader(/^-?\d{1,15}$/, 1)
  const parts = new Map<Part, string>()
  let pattern = ''
  for (const [written, bracketed, character] of format.matchAll(tokenPattern)) {
    const token = tokens[written]
    if (token === undefined) {
      pattern += escapePattern(bracketed ?? punctuation(character ?? ''))
      continue
    }
    if (parts.has(token.part)) throw new TimestampFormatError(`has two tokens for the ${nameOf(token.part)}`)
    parts.set(token.part, written)
    pattern += `(?<${token.part}>${token.pattern})`
  }
  checkParts(parts)
  const expression = new RegExp(`^${pattern}$`, 'iu')
  return (text) => {
    const found: Parts | undefined = expression.exec(text)?.groups
    return found && readIso(toIso(found))
  }
}

/** Returns a character that stands for itself. `T`, as between date and time, is the only such letter. */
function punctuation(character: string): string {
  if (!/^[A-SU-Za-z]$/.test(character)) return character
  const meant = meantTokens.get(character)
  const advice = meant === undefined ? 'write' : `did you mean ${meant}? Write`
  throw new TimestampFormatError(`has no token "${character}"; ${advice} text in brackets: [${character}]`)
}

/** Tokens of other notations for dates. */
const meantTokens: ReadonlyMap<string, string> = new Map([
  ['d', 'DD'],
  ['y', 'YYYY'],
])

const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)

function checkParts(parts: ReadonlyMap<Part, string>): void {
  if (parts.has('year') === parts.has('shortYear')) throw new TimestampFormatError('must have one token for the year')
  const needs: [Part, Part][] = [
    ['year', 'month'],
    ['shortYear', 'month'],
    ['month', 'day'],
    ['offset', 'hour'],
    ['fraction', 'second'],
    ['second', 'minute'],
    ['minute', 'hour'],
  ]
  for (const [part, needed] of needs)
    if (parts.has(part) && !parts.has(needed)) throw new TimestampFormatError(`must have a token for the ${needed}`)
  if ((parts.get('hour') ?? '').startsWith('h') !== parts.has('half'))
    throw new TimestampFormatError('must have `hh` or `h` together with `A`, or `HH` or `H` without it')
}

const nameOf = (part: Part): string => (part === 'shortYear' ? 'year' : part === 'half' ? 'half of the day' : part)

function toIso(found: Parts): string {
  const { year = `20${found.shortYear}`, month = '', day = '', minute = '00', second = '00', fraction = '0' } = found
  const number = months.indexOf(month.toLowerCase()) + 1
  const date = `${year}-${number > 0 ? twoDigits(number) : twoDigits(month)}-${twoDigits(day)}`
  if (found.hour === undefined) return date
  return `${date}T${twoDigits(hourOf(found.hour, found.half))}:${minute}:${second}.${fraction}${found.offset ?? ''}`
}

function hourOf(hour: string, half: string | undefined): number {
  if (half === undefined) return Number(hour)
  return (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
}

const twoDigits = (number: string | number): string => `${number}`.padStart(2, '0')

function epochReader(pattern: RegExp, unitMs: number): TimestampReader {
  return (text) => {
    const date = new Date(pattern.test(text) ? Math.round(Number(text) * unitMs) : Number.NaN)
    return Number.isNaN(date.getTime()) ? undefined : readIso(date.toISOString())
  }
}
