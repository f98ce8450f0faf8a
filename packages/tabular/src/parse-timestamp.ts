/** A parsed timestamp: its wall clock time, and its offset from UTC if it has one. */
export interface ParsedTimestamp {
  wallMs: number
  offsetMs: number | null
}

const pattern =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(?:([Zz])|([+-])(\d\d):?(\d\d)?)?)?$/

/**
 * Parses ISO 8601: a date, or date and time, with or without offset. Returns null for anything else, such as 30
 * February.
 */
export function parseTimestamp(text: string): ParsedTimestamp | null {
  const match = pattern.exec(text)
  if (!match) return null
  const [, year, month, day, hour, minute, second, fraction, utc, sign, offsetHours, offsetMinutes] = match
  if (!isDate(Number(year), Number(month), Number(day))) return null
  if (Number(hour ?? 0) > 23 || Number(minute ?? 0) > 59 || Number(second ?? 0) > 60) return null
  const date = Date.UTC(Number(year), Number(month) - 1, Number(day))
  const time = Number(hour ?? 0) * 3_600_000 + Number(minute ?? 0) * 60_000 + Number(second ?? 0) * 1000
  const wallMs = date + time + Math.floor(Number(`0.${fraction ?? 0}`) * 1000)
  if (utc) return { wallMs, offsetMs: 0 }
  if (!sign) return { wallMs, offsetMs: null }
  const offset = Number(offsetHours) * 3_600_000 + Number(offsetMinutes ?? 0) * 60_000
  return { wallMs, offsetMs: sign === '-' ? -offset : offset }
}

function isDate(year: number, month: number, day: number): boolean {
  if (year < 100 || month < 1 || month > 12 || day < 1) return false
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}
