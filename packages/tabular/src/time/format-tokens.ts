/** Thrown for a format that is not valid. The message follows the name of the field. */
export class TimestampFormatError extends Error {
  override readonly name = 'TimestampFormatError'
}

type NumericPart = 'year' | 'shortYear' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'fraction'
export type TimestampPart = NumericPart | 'monthName' | 'half' | 'offset'

/** A part of a format: digits, a name, an offset, or text that stands for itself. */
export type FormatToken =
  | { kind: 'digits'; part: NumericPart; min: number; max: number }
  | { kind: 'monthName' | 'half' | 'offset' }
  | { kind: 'text'; text: string }

const digits = (part: NumericPart, min: number, max = min): FormatToken => ({ kind: 'digits', part, min, max })

const tokens: Readonly<Record<string, FormatToken>> = {
  YYYY: digits('year', 4),
  YY: digits('shortYear', 2),
  MMMM: { kind: 'monthName' },
  MMM: { kind: 'monthName' },
  MM: digits('month', 2),
  M: digits('month', 1, 2),
  DD: digits('day', 2),
  D: digits('day', 1, 2),
  HH: digits('hour', 2),
  H: digits('hour', 1, 2),
  hh: digits('hour', 2),
  h: digits('hour', 1, 2),
  A: { kind: 'half' },
  mm: digits('minute', 2),
  ss: digits('second', 2),
  SSS: digits('fraction', 1, 9),
  Z: { kind: 'offset' },
}

/** A token, bracketed text, or one other character. */
const tokenPattern = /YYYY|YY|MMMM|MMM|MM?|DD?|HH?|hh?|mm|ss|SSS|A|Z|\[([^\]]*)\]|(.)/gsu

/** Splits a format into its tokens. @throws TimestampFormatError */
export function parseFormat(format: string): FormatToken[] {
  const parsed: FormatToken[] = []
  const parts = new Map<string, string>()
  for (const [written, bracketed, character] of format.matchAll(tokenPattern)) {
    const token = tokens[written] ?? { kind: 'text', text: bracketed ?? punctuation(character ?? '') }
    parsed.push(token)
    if (token.kind === 'text') continue
    const part = partOf(token)
    if (parts.has(part)) throw new TimestampFormatError(`has two tokens for the ${nameOf(part)}`)
    parts.set(part, written)
  }
  checkParts(parts)
  return parsed
}

const partOf = (token: Exclude<FormatToken, { kind: 'text' }>): string => {
  if (token.kind === 'digits') return token.part
  return token.kind === 'monthName' ? 'month' : token.kind
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

function checkParts(parts: ReadonlyMap<string, string>): void {
  if (parts.has('year') === parts.has('shortYear')) throw new TimestampFormatError('must have one token for the year')
  const needs: [string, string][] = [
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

const nameOf = (part: string): string => (part === 'shortYear' ? 'year' : part === 'half' ? 'half of the day' : part)
