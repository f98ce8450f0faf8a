import { isTime } from './calendar.ts'
import { plainTimestamp } from './plain-timestamp.ts'

/** A text that is written like a date, or a date and a time. Which of its numbers is the day is not decided yet. */
export interface ScannedTimestamp {
  style: DateStyle
  /** The numbers of the date in the order of the text; the name of a month counts as 0. */
  numbers: [number, number, number]
  /** The name of the month as it is written; undefined if it has a number. */
  month?: string | undefined
  /** The format of the time with its separator, such as ` HH:mm`; empty for a date alone. */
  timeFormat: string
  /** Minutes since midnight. */
  minutes: number
  /** True if day or month has one digit. */
  isUnpadded: boolean
  /** The days of the week that the text names, 0 for Sunday; undefined if it names none. */
  weekdays?: readonly number[] | undefined
}

/**
 * The layout of a date: `yearFirst` 2024-01-31, `yearLast` 31/01/2024, `shortYear` 31/01/24, `named` 31 January 2024,
 * `monthFirst` January 31, 2024, `compact` 20240131.
 */
export interface DateStyle {
  layout: 'yearFirst' | 'yearLast' | 'shortYear' | 'named' | 'namedShortYear' | 'monthFirst' | 'compact'
  separators: [string, string]
}

const maxLength = 50
const numericDate = /^(\d{1,4})(\. ?|[/-])(\d{1,2})(\. ?|[/-])(\d{4}|\d{1,2})(?![\d./-])/
const dayMonthName = /^(\d{1,2})(\. ?| |-|\/)([\p{L}\p{M}][\p{L}\p{M}.]{2,19})( |-|\/|, )(\d{4}|\d{2})(?!\d)/u
const monthNameDay = /^([\p{L}\p{M}][\p{L}\p{M}.]{2,19})( |-)(\d{1,2})(, | |,|-)(\d{4})(?!\d)/u
const compactDate = /^(\d{4})(\d{2})(\d{2})(?=$|T\d|[ ]\d)/
const timeOfDay =
  /^([T \u00a0\u202f\u2009]|, )(\d{1,2}):(\d{2})(?::(\d{2})(?:([.,])(\d{1,9}))?)?(?:([ \u00a0\u202f\u2009]?)([ap](?:m|\.[ \u00a0\u202f]?m\.)))?(?:( ?)(z|[+-]\d{2}(?::?\d{2})?))?$/i

/** Returns the layout and numbers of a timestamp, undefined for any other text. */
export function scanTimestamp(text: string): ScannedTimestamp | undefined {
  const scanned = scanDirectly(text)
  if (scanned !== undefined) return scanned
  const plain = plainTimestamp(text)
  const found = plain && scanDirectly(plain.text)
  return found && { ...found, weekdays: plain.weekdays }
}

function scanDirectly(text: string): ScannedTimestamp | undefined {
  if (text.length > maxLength || text.length < 6) return undefined
  const date = scanDate(text)
  if (date === undefined) return undefined
  const { length, ...scanned } = date
  const time = scanTime(text.slice(length))
  return time === undefined ? undefined : { ...scanned, ...time }
}

type ScannedDate = Pick<ScannedTimestamp, 'style' | 'numbers' | 'month' | 'isUnpadded'> & { length: number }

function scanDate(text: string): ScannedDate | undefined {
  const numeric = numericDate.exec(text)
  if (numeric !== null) return scanNumericDate(numeric)
  const compact = compactDate.exec(text)
  if (compact !== null) {
    const [written, year, month, day] = compact
    const numbers: [number, number, number] = [Number(year), Number(month), Number(day)]
    return { style: { layout: 'compact', separators: ['', ''] }, numbers, isUnpadded: false, length: written.length }
  }
  const named = dayMonthName.exec(text)
  if (named !== null) {
    const [written, day = '', first = '', month = '', second = '', year = ''] = named
    const layout = year.length === 4 ? 'named' : 'namedShortYear'
    const style: DateStyle = { layout, separators: [first, second] }
    return {
      style,
      numbers: [Number(day), 0, Number(year)],
      month,
      isUnpadded: day.length === 1,
      length: written.length,
    }
  }
  const [written, month = '', first = '', day = '', second = '', year = ''] = monthNameDay.exec(text) ?? []
  if (written === undefined) return undefined
  const style: DateStyle = { layout: 'monthFirst', separators: [first, second] }
  return { style, numbers: [0, Number(day), Number(year)], month, isUnpadded: day.length === 1, length: written.length }
}

function scanNumericDate(match: RegExpExecArray): ScannedDate | undefined {
  const [written, one = '', first = '', two = '', second = '', three = ''] = match
  if (first !== second) return undefined
  const base = {
    numbers: [Number(one), Number(two), Number(three)] satisfies [number, number, number],
    length: written.length,
  }
  const separators: [string, string] = [first, second]
  if (one.length === 4 && three.length <= 2)
    return { ...base, style: { layout: 'yearFirst', separators }, isUnpadded: two.length === 1 || three.length === 1 }
  if (one.length > 2) return undefined
  const isUnpadded = one.length === 1 || two.length === 1
  if (three.length === 4) return { ...base, style: { layout: 'yearLast', separators }, isUnpadded }
  return three.length === 2 ? { ...base, style: { layout: 'shortYear', separators }, isUnpadded } : undefined
}

function scanTime(text: string): Pick<ScannedTimestamp, 'timeFormat' | 'minutes'> | undefined {
  if (text === '') return { timeFormat: '', minutes: 0 }
  const match = timeOfDay.exec(text)
  if (match === null) return undefined
  const [, separator = '', hour = '', minute, second, point = '', fraction, gap = '', half, offsetGap = '', offset] =
    match
  if (half === undefined ? !isTime(Number(hour), Number(minute), Number(second ?? 0)) : !isHalfDayHour(hour, minute))
    return undefined
  if (Number(second ?? 0) > 60) return undefined
  const hours = half === undefined ? 'HH' : 'hh'
  const timeFormat = [
    ...[toSpace(separator), hour.length === 2 ? hours : hours.slice(1), ':mm'],
    ...[second === undefined ? '' : ':ss', fraction === undefined ? '' : `${point}SSS`],
    ...[half === undefined ? '' : `${toSpace(gap)}A`, offset === undefined ? '' : `${offsetGap}Z`],
  ].join('')
  return { timeFormat, minutes: Number(hour) * 60 + Number(minute) }
}

const isHalfDayHour = (hour: string, minute: string | undefined): boolean =>
  Number(hour) >= 1 && Number(hour) <= 12 && Number(minute) < 60

/** Formats have a plain space, which stands for all spaces. */
const toSpace = (text: string): string => text.replace(/[\u00a0\u202f\u2009]/, ' ')
