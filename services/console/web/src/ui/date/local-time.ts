import type { Reader } from '../format/reader.ts'

const minuteMs = 60_000

/** Returns the distance in milliseconds of a zone from UTC at a time. */
function offsetAt(at: number, timeZone: string | undefined): number {
  if (timeZone === undefined) return -new Date(at).getTimezoneOffset() * minuteMs
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  }).formatToParts(at)
  const part = (type: string) => Number(parts.find((candidate) => candidate.type === type)?.value)
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'))
  return local - Math.floor(at / minuteMs) * minuteMs
}

/** Returns date and time of day in the zone of the reader, `2026-11-23T05:37`; undefined for what is no time. */
export function toLocalTime(time: string | undefined, { timeZone }: Reader): string | undefined {
  const at = Date.parse(time ?? '')
  return Number.isNaN(at) ? undefined : new Date(at + offsetAt(at, timeZone)).toISOString().slice(0, 16)
}

/**
 * Returns the time, RFC 3339 in UTC, of a date and time of day in the zone of the reader. A time that the clocks skip
 * becomes the time after the change that is as much later. @returns undefined for what is no time
 */
export function fromLocalTime(text: string | undefined, { timeZone }: Reader): string | undefined {
  const local = Date.parse(`${text ?? ''}Z`)
  if (Number.isNaN(local)) return undefined
  const near = local - offsetAt(local, timeZone)
  const at = local - offsetAt(near, timeZone)
  return new Date(offsetAt(at, timeZone) === local - at ? at : Math.max(at, near)).toISOString()
}

/** Returns the local date of a time as `2026-03-05`. */
export const localDate = (time: Date, timeZone: string): string => time.toLocaleDateString('sv-SE', { timeZone })
