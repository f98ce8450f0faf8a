/** A timestamp as written: the wall clock it shows, and how far that is from UTC where it says so. */
export interface WrittenTime {
  wallMs: number
  offsetMs: number | null
}

const pattern =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(?:([Zz])|([+-])(\d\d):?(\d\d)?)?)?$/

/** Reads ISO 8601: date, or date and time, with or without offset. Null for anything else, 30 February included. */
export function readTimestamp(text: string): WrittenTime | null {
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
