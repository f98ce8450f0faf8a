// Written out instead of using Intl, as in format.ts.
import { formatCount } from './format.ts'

const units: readonly (readonly [unit: string, seconds: number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

const neighbours: Readonly<Record<string, readonly [previous: string, next: string]>> = {
  year: ['last year', 'next year'],
  month: ['last month', 'next month'],
  day: ['yesterday', 'tomorrow'],
}

/** Returns the distance of a time in words: `3 minutes ago`, `in 2 hours`. */
export function formatRelative(at: number, now: number): string {
  const seconds = (at - now) / 1000
  const isPast = seconds < 0
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? (['second', 1] as const)
  if (unit === 'second' && Math.abs(seconds) < 10) return isPast || seconds === 0 ? 'just now' : 'in a moment'
  const count = Math.trunc(Math.abs(seconds) / size)
  const neighbour = count === 1 ? neighbours[unit] : undefined
  if (neighbour) return neighbour[isPast ? 0 : 1]
  const distance = formatCount(count, unit)
  return isPast ? `${distance} ago` : `in ${distance}`
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** Formats a time in the zone of the reader: `Nov 23, 05:37`. */
export const formatShort = (at: Date): string =>
  `${months[at.getMonth()]} ${at.getDate()}, ${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`

/** Formats a time in the zone of the reader: `Nov 23, 2026, 5:37:09 AM`. */
export function formatAbsolute(at: Date): string {
  const hours = at.getHours()
  const time = `${hours % 12 || 12}:${twoDigits(at.getMinutes())}:${twoDigits(at.getSeconds())}`
  return `${months[at.getMonth()]} ${at.getDate()}, ${at.getFullYear()}, ${time} ${hours < 12 ? 'AM' : 'PM'}`
}

/** Returns the value of a `datetime-local` input for a time, in the zone of the reader; empty for what is no time. */
export function toLocalInput(value: string | undefined): string {
  const at = new Date(value ?? '')
  if (Number.isNaN(at.getTime())) return ''
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString()
  return local.slice(0, local.endsWith(':00.000Z') ? 16 : 19)
}

/** Returns the time, RFC 3339 in UTC, that a `datetime-local` input means in the zone of the reader. */
export function fromLocalInput(value: string | undefined): string | undefined {
  const at = new Date(value ?? '')
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}
