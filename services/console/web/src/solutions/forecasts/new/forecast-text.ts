import type { NewForecast } from '../run-input.ts'

/** Thrown for a line of a text field that cannot be read. The message names the line and what is expected. */
export class LineError extends Error {
  override readonly name = 'LineError'

  constructor(line: number, expected: string) {
    super(`Line ${line}: ${expected}`)
  }
}

interface Line {
  number: number
  text: string
}

const linesOf = (text: string): Line[] =>
  text
    .split(/\r?\n/)
    .map((line, index) => ({ number: index + 1, text: line.trim() }))
    .filter((line) => line.text !== '')

const datePattern = /^\d{4}-\d\d-\d\d$/

/** Parses dates that are separated by commas, spaces or line breaks. @throws LineError */
export const parseDates = (text: string): string[] => linesOf(text).flatMap(datesOf)

function datesOf({ number, text }: Line): string[] {
  const dates = text.split(/[\s,;]+/).filter(Boolean)
  const wrong = dates.find((date) => !datePattern.test(date))
  if (wrong !== undefined) throw new LineError(number, `“${wrong}” is not a date. Write dates as 2026-12-24.`)
  return dates
}

type Closures = NonNullable<NewForecast['closures']>

/**
 * Parses closures, one a line: dates, and after a colon the groups that are closed; without groups, all. @throws
 * LineError
 */
export const parseClosures = (text: string): Closures =>
  linesOf(text).map(({ number, text: line }) => {
    const [dates = '', ...names] = line.split(':')
    const groups = names
      .join(':')
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean)
    return { dates: datesOf({ number, text: dates }), ...(groups.length > 0 && { groups }) }
  })

export const formatClosures = (closures: Closures): string =>
  closures.map(({ dates, groups }) => dates.join(', ') + (groups ? `: ${groups.join(', ')}` : '')).join('\n')

type DayKinds = NonNullable<NewForecast['calendar']>

/** Parses kinds of days, one a line: a name, a colon, and dates. @throws LineError */
export const parseDayKinds = (text: string): DayKinds =>
  linesOf(text).map(({ number, text: line }) => {
    const end = line.lastIndexOf(':')
    const name = line.slice(0, Math.max(0, end)).trim()
    if (name === '') throw new LineError(number, 'write a name, a colon and dates, such as bridge days: 2026-05-15')
    return { name, dates: datesOf({ number, text: line.slice(end + 1) }) }
  })

export const formatDayKinds = (kinds: DayKinds): string =>
  kinds.map(({ name, dates }) => `${name}: ${dates.join(', ')}`).join('\n')
