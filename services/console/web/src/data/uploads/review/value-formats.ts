import type { SourceFormat } from '@wp/contracts'

/** The marks in numbers. Null: the values show none. */
export interface NumberMarks {
  decimal: NonNullable<SourceFormat['decimal']> | null
  thousands: NonNullable<SourceFormat['thousands']> | null
}

type SetMarks = { [Mark in keyof NumberMarks]: NonNullable<NumberMarks[Mark]> }

const usualMarks: readonly SetMarks[] = [
  { decimal: '.', thousands: ',' },
  { decimal: ',', thousands: '.' },
  { decimal: ',', thousands: ' ' },
  { decimal: '.', thousands: "'" },
  { decimal: '.', thousands: '' },
  { decimal: ',', thousands: '' },
]

/** The choice for numbers without any mark. */
export const noMarks = ''

/**
 * Returns the ways to write a number that a person can choose, each as the example `1,234.5`. Those of the file come
 * first if they are none of the usual ones.
 */
export function numberStyleChoices(current: NumberMarks): { value: string; label: string }[] {
  const isUsual = usualMarks.some((marks) => styleOf(marks) === styleOf(current))
  const own = completeMarks(current)
  const list = own === undefined || isUsual ? usualMarks : [own, ...usualMarks]
  const choices = list.map((marks) => ({ value: styleOf(marks), label: exampleOf(marks) }))
  return own === undefined ? [{ value: noMarks, label: '1234' }, ...choices] : choices
}

/** Returns the choice that stands for marks. */
export function styleOf(marks: NumberMarks): string {
  const { decimal, thousands } = completeMarks(marks) ?? {}
  return decimal === undefined ? noMarks : `${decimal}${thousands}`
}

/** Returns the marks of a choice; undefined for numbers without any. */
export const marksOfStyle = (style: string, current: NumberMarks): SetMarks | undefined =>
  [...usualMarks, completeMarks(current)].find((marks) => marks !== undefined && styleOf(marks) === style)

/** Of two marks the values may show one; they then leave the usual partner for the other. */
function completeMarks({ decimal, thousands }: NumberMarks): SetMarks | undefined {
  if (decimal === null && thousands === null) return undefined
  return { decimal: decimal ?? (thousands === '.' ? ',' : '.'), thousands: thousands ?? '' }
}

const exampleOf = ({ decimal, thousands }: SetMarks): string => `1${thousands}234${decimal}5`

/** The words of the tokens of a format of times, and the moment of an example: 31 December 2026, 17:05. */
const tokens: Readonly<Record<string, readonly [word: string, example: string]>> = {
  YYYY: ['Year', '2026'],
  YY: ['Year', '26'],
  MMMM: ['Month', 'December'],
  MMM: ['Month', 'Dec'],
  MM: ['Month', '12'],
  M: ['Month', '12'],
  DD: ['Day', '31'],
  D: ['Day', '31'],
  HH: ['Hour', '17'],
  H: ['Hour', '17'],
  hh: ['Hour', '05'],
  h: ['Hour', '5'],
  A: ['AM/PM', 'PM'],
  mm: ['Minute', '05'],
  ss: ['Second', '00'],
  SSS: ['Fraction', '000'],
  Z: ['Offset', '+01:00'],
  T: [' ', 'T'],
}
const tokenPattern = /YYYY|YY|MMMM|MMM|MM?|DD?|HH?|hh?|mm|ss|SSS|A|Z|T|\[([^\]]*)\]|./gsu

/** Describes a format of times in words and by an example: `Day.Month.Year Hour:Minute (31.12.2026 17:05)`. */
export function describeTimestampFormat(format: string): string {
  if (format === 'X') return 'Seconds since 1970'
  if (format === 'x') return 'Milliseconds since 1970'
  return `${write(format, 0)} (${write(format, 1)})`
}

const write = (format: string, part: 0 | 1): string =>
  format.replaceAll(tokenPattern, (token, literal?: string) => tokens[token]?.[part] ?? literal ?? token)

const dates = ['DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY', 'YYYY-MM-DD', 'DD-MM-YYYY']
/** For a column whose format is not known. */
const timeParts = ['', ' HH:mm']

/**
 * Returns the formats that a person can choose for a column: that of the file, its mirror image, and the usual ones.
 */
export function timestampFormatChoices(current: string | null): { value: string; label: string }[] {
  const usual = dates.flatMap((date) =>
    (current === null ? timeParts : [timePartOf(current)]).map((time) => date + time),
  )
  const own = current === null ? [] : [current, swapDayAndMonth(current)]
  return [...new Set([...own, ...usual])].map((value) => ({ value, label: describeTimestampFormat(value) }))
}

/** Returns all of a format from the character before its first hour on. */
const timePartOf = (format: string): string => /[^A-Za-z]*(?:\[[^\]]*\]|T)?[Hh].*$/s.exec(format)?.[0] ?? ''

/** Exchanges the day and the month where both are numbers. */
function swapDayAndMonth(format: string): string {
  if (format.includes('MMM')) return format
  return format.replaceAll(tokenPattern, (token) =>
    token.replace(/^[DM]+$/, (found) => (found[0] === 'D' ? 'M' : 'D').repeat(found.length)),
  )
}
