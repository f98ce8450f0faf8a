import { durationWords, hasWord, isTimeName, scanTimestamp, standardTime, wordsOf } from '@wp/tabular'
import type { Row } from '../../../parsers/row.ts'
import type { Remark } from '../../raw-table.ts'
import { type ColumnPlan, offsetOfName } from '../column-plan.ts'

/** Times with and without an offset. */
export function mixedOffsets({ evidence }: ColumnPlan): Remark {
  const formats = [...evidence.timestamps.styles.values()].flatMap(({ timeFormats }) => [...timeFormats.keys()])
  const ofTimes = formats.filter((format) => format !== '')
  if (ofTimes.every((format) => format.endsWith('Z')) || !ofTimes.some((format) => format.endsWith('Z')))
    return undefined
  return [
    'mixed_offsets',
    'has times with an offset from UTC and times without one; those without are times of the time zone that a forecast names',
  ]
}

/** The offset of times that have none themselves. */
export function statedOffset({ name, evidence: { examples } }: ColumnPlan): Remark {
  const offset = offsetOfName(name)
  if (offset === undefined || !examples.some((text) => /\d:\d\d(?::\d\d)?(?:\.\d+)?$/.test(text))) return undefined
  return ['stated_offset', `is read as times of ${offset === 'Z' ? 'UTC' : `UTC${offset}`}, as its name states`]
}

/** An order of day and month that the values of the column alone do not prove. */
export function assumedOrder({ decision }: ColumnPlan): Remark {
  if (decision.outcome !== 'timestamp' || decision.basis === undefined) return undefined
  const basis = bases[decision.basis]
  const text = `is read as ${decision.format}: ${basis}. If this is wrong, set \`format.timestamp_formats\``
  return basis === undefined ? undefined : ['assumed_date_order', text]
}

const bases: Readonly<Record<string, string | undefined>> = {
  points: 'dates with points have the day first',
  columns: 'other columns of dates have this order',
  sequence: 'only so the dates follow each other without gaps',
}

const weekPattern = /^(?:\d{4}[ -]?)?(?:KW|CW|W)[ .-]{0,2}\d/i
const buddhistYear = /(?:^|\D)(2(?:5[4-9]|6[0-4])\d)(?:\D|$)/

/** Weeks, and dates of the Buddhist calendar, which are read as dates that the file does not have. */
export function convertedDates({ evidence: { examples } }: ColumnPlan): Remark {
  const week = examples.find((text) => weekPattern.test(text))
  if (week !== undefined)
    return ['weeks', `names weeks such as "${week}": each is read as its Monday, by the weeks of ISO 8601`]
  const year = examples.map((text) => buddhistYear.exec(text)?.[1]).find((found) => found !== undefined)
  if (year === undefined) return undefined
  return ['buddhist_years', `has years of the Buddhist calendar: ${year} is read as ${Number(year) - 543}`]
}

/** Times of a zone that other places leave in summer, as machines write them, and people by mistake. */
export function standardTimeInSummer({ name, evidence: { examples } }: ColumnPlan, rows: readonly Row[]): Remark {
  const zone = examples.map((text) => standardTime.exec(text)?.[0]).find((found) => found !== undefined)
  if (zone === undefined) return undefined
  const values = rows.flatMap((row) => ('value' in row ? [String(row.value[name])] : []))
  const offsets = new Set(values.flatMap((text) => /[+-]\d\d:\d\d$/.exec(text) ?? []))
  if (offsets.size !== 1 || !values.some((text) => /^\d{4}-0[5-9]/.test(text))) return undefined
  return [
    'standard_time_in_summer',
    `names the zone ${zone} in summer too, and is read so: an hour before the time of clocks there. If its times are those of clocks, remove the name of the zone`,
  ]
}

/** A column of dates that are written in several ways, or have words between them, such as no end of a membership. */
export function datesAndOthers({ decision, timeOfDay, evidence }: ColumnPlan): Remark {
  const styles = [...evidence.timestamps.styles.values()].toSorted((a, b) => b.count - a.count)
  const dates = styles.reduce((sum, { count }) => sum + count, evidence.typed.timestamp)
  if (decision.outcome !== 'string' || timeOfDay !== undefined || dates * 2 < evidence.cells || dates === 0)
    return undefined
  const [date = ''] = styles[0]?.examples ?? evidence.examples
  const other = styles[1]?.examples[0] ?? evidence.examples.find((text) => scanTimestamp(text) === undefined)
  if (other === undefined) return undefined
  return [
    'kept_as_text',
    `is kept as text: it has dates such as "${date}" beside values such as "${other}". Write all dates alike, and leave cells without a date empty`,
  ]
}

const [firstYear, lastYear] = [1950, 2100]
/** Directories write 31 December 9999 for no end. */
const openEnd = 9999

export function distantYears({ name }: ColumnPlan, rows: readonly Row[]): Remark {
  for (const row of rows) {
    const value = 'value' in row ? row.value[name] : undefined
    if (typeof value !== 'string') continue
    const year = Number(value.slice(0, 4))
    return (year >= firstYear && year <= lastYear) || year === openEnd
      ? undefined
      : ['distant_years', `has years such as ${year}. If they are of another calendar, convert them before the upload`]
  }
  return undefined
}

const periodName =
  /^(?:week|weeks|woche|wochen|kw|semaine|semana|month|months|monat|mois|mes|quarter|quartal|trimestre)$/

/** Returns `Visits` of `Visits per day`. */
export const withoutDivisor = (name: string): string => name.replace(/(?: (?:per|pro|par|por|je) |\/).*$/i, '')

/** A column that is named after times in a table without any: its values are in a form that is not read. */
export function unreadTimes({ name, type, timeOfDay, evidence, decision }: ColumnPlan): Remark {
  if (decision.outcome === 'string' && decision.note !== undefined) return undefined
  const isNamed =
    isTimeName(withoutDivisor(name)) || wordsOf(withoutDivisor(name)).some((word) => periodName.test(word))
  const [example = ''] = evidence.examples
  const isOfTimes = isNamed ? /\d/.test(example) : looksLikeDates({ evidence })
  if (type !== 'string' && !isNamed) return undefined
  if (type === 'boolean' || timeOfDay !== undefined || !isOfTimes) return undefined
  const [, zone] = ambiguousZone.exec(example) ?? []
  if (zone !== undefined)
    return [
      'unread_times',
      `is not read as times, because ${zone} is the name of several time zones. Write the offset from UTC, such as +01:00, or no zone`,
    ]
  return [
    'unread_times',
    `is not read as times, because values such as "${example}" are no dates: forecasts cannot use the file. Write dates such as 2026-01-31`,
  ]
}

/** Numbers such as 815, 8.3 and 1730 beside a date, of which rows would count for the day alone. */
export function unreadClock({ name, type, evidence: { examples } }: ColumnPlan): Remark {
  const isClock = (text: string) =>
    (/^\d{1,2}[0-5]\d$/.test(text) && Number(text) <= 2400) ||
    (/^\d{1,2}[.,][0-5]\d?$/.test(text) && Number.parseInt(text, 10) > 0 && Number.parseInt(text, 10) <= 24)
  if ([...durationWords, lengthWords].some((pattern) => hasWord(name, pattern))) return undefined
  if (type !== 'number' || !isTimeName(name) || examples.length === 0 || !examples.every(isClock)) return undefined
  return [
    'unread_times',
    `has numbers such as ${examples[0]}, which are not read as times of day: write 08:15 for 815 or 8.15`,
  ]
}

/** Words of lengths of time, which are numbers. */
const lengthWords = /^(?:dwell|stay|spent|worked|aufenthalt|verweil)/
const ambiguousZone = /\d ?\(?(CST|IST|BST)\)?$/
const dateLike =
  /(?:^|\D)(?:\d{4}\D{1,3}\d{1,2}\D{1,3}\d{1,2}|\d{1,2}\D{1,3}\d{1,2}\D{1,3}\d{4}|\d{1,2}\.\d{1,2}\.\d{2}|\d{4}[ -]?Q[1-4])(?:\D|$)/

/** Returns true if all values have the digits of a day, a month and a year. */
export const looksLikeDates = ({ evidence: { examples } }: Pick<ColumnPlan, 'evidence'>): boolean =>
  examples.length > 0 && examples.every((text) => dateLike.test(text))
