// Distances are written out instead of using Intl, as in format.ts; dates need the locale of the reader.
import { formatCount } from './format.ts'
import type { Reader } from './reader.ts'

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

const styles = {
  date: { dateStyle: 'medium' },
  dateTime: { dateStyle: 'medium', timeStyle: 'short' },
  full: { dateStyle: 'full', timeStyle: 'long' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

/** Formatters by locale, zone and style: making one costs as much as a hundred uses. */
const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterOf(style: keyof typeof styles, { locale, timeZone }: Reader): Intl.DateTimeFormat {
  const key = `${style} ${locale} ${timeZone}`
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(locale, { ...styles[style], timeZone })
  formatters.set(key, formatter)
  return formatter
}

/** Intl separates AM and PM by a space that fonts lack and tests do not find. */
const plainSpaces = (text: string): string => text.replaceAll('\u202f', ' ')

/** Formats the date of a time as the reader writes it: `23 Nov 2026`, `23.11.2026`. */
export const formatDate = (at: Date, reader: Reader): string => plainSpaces(formatterOf('date', reader).format(at))

/** Formats date and time as the reader writes them: `23 Nov 2026, 05:37`, `Nov 23, 2026, 5:37 AM`. */
export const formatDateTime = (at: Date, reader: Reader): string =>
  plainSpaces(formatterOf('dateTime', reader).format(at))

/**
 * Formats a date without a time, `2026-11-23`, as the reader writes it. @returns the text itself if it is no date
 */
export function formatDay(day: string, { locale }: Reader): string {
  const at = new Date(`${day.slice(0, 10)}T00:00:00Z`)
  return Number.isNaN(at.getTime()) ? day : formatDate(at, { locale, timeZone: 'UTC' })
}

/** Formats a time in full, in the zone of the reader and in UTC, each on a line. */
export const formatInFull = (at: Date, reader: Reader): string =>
  `${plainSpaces(formatterOf('full', reader).format(at))}\n${at.toISOString().replace('T', ' ').slice(0, 19)} UTC`
