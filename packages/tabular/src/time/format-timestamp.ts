import { nextDay } from './calendar.ts'
import type { TimestampParts } from './match-format.ts'

/**
 * Returns a time as RFC 3339: a date alone, a local time without offset, or a time with its offset. 24:00 becomes
 * midnight of the next day.
 */
export function toRfc3339({ year, month, day, hour, minute, second, fraction, offset }: TimestampParts): string {
  if (hour === undefined) return dateText(year, month, day)
  const date = hour === 24 ? dateText(...nextDay(year, month, day)) : dateText(year, month, day)
  const time = `${two(hour === 24 ? 0 : hour)}:${two(minute)}:${two(second)}`
  return `${date}T${time}${fraction === '' ? '' : `.${fraction}`}${offsetText(offset)}`
}

export const dateText = (year: number, month: number, day: number): string =>
  `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`

const two = (number: number): string => (number < 10 ? `0${number}` : `${number}`)

function offsetText(offset: string): string {
  if (offset === '' || offset === 'z' || offset === 'Z') return offset.toUpperCase()
  const minutes = offset.slice(3).replace(':', '')
  return `${offset.slice(0, 3)}:${minutes === '' ? '00' : minutes}`
}
