import { isDate, isTime } from './calendar.ts'

/** A parsed timestamp: its wall clock time, and its offset from UTC if it has one. */
export interface ParsedTimestamp {
  wallMs: number
  offsetMs: number | null
}

const pattern =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt \u00a0\u202f](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(?:([Zz])|([+-])(\d\d):?(\d\d)?)?)?$/

/**
 * Parses ISO 8601: a date, or date and time, with or without offset. 24:00 is midnight of the next day. Returns null
 * for anything else, such as 30 February.
 */
export function parseTimestamp(text: string): ParsedTimestamp | null {
  const match = pattern.exec(text)
  if (!match) return null
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction, utc, sign, offsetHours, offsetMinutes] =
    match
  if (!isDate(Number(year), Number(month), Number(day))) return null
  if (!isTime(Number(hour), Number(minute), Number(second), Number(fraction ?? 0) > 0)) return null
  const date = Date.UTC(Number(year), Number(month) - 1, Number(day))
  const time = Number(hour) * 3_600_000 + Number(minute) * 60_000 + Number(second) * 1000
  const wallMs = date + time + Math.floor(Number(`0.${fraction ?? 0}`) * 1000)
  if (utc) return { wallMs, offsetMs: 0 }
  if (!sign) return { wallMs, offsetMs: null }
  const offset = Number(offsetHours) * 3_600_000 + Number(offsetMinutes ?? 0) * 60_000
  return { wallMs, offsetMs: sign === '-' ? -offset : offset }
}
