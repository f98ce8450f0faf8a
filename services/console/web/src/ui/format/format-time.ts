// Distances are written out instead of using Intl, as in format.ts; dates need the locale of the reader.
import { useCallback } from 'react'
import { formatCount, withSigns } from './format.ts'
import { browserLocale } from './number-signs.ts'
import { type Reader, useReader } from './reader.ts'
import { withoutDirections } from './untrusted-text.ts'

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

/** Styles with words. They stand in English sentences, so the words are English, in the order of the reader. */
const wordStyles = {
  weekday: { weekday: 'long' },
  day: { day: 'numeric', month: 'long' },
  longDay: { weekday: 'long', day: 'numeric', month: 'long' },
  shortDay: { day: 'numeric', month: 'short' },
  shortWeekday: { weekday: 'short', day: 'numeric', month: 'short' },
  shortTime: { weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' },
  zonedTime: {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  },
  month: { month: 'long', year: 'numeric' },
  hour: { hour: 'numeric', minute: '2-digit' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

export type WordStyle = keyof typeof wordStyles

/** Formatters by locale, zone and style: making one costs as much as a hundred uses. */
const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterOf(style: keyof typeof styles | WordStyle, { locale, timeZone }: Reader): Intl.DateTimeFormat {
  const key = `${style} ${locale} ${timeZone}`
  const formatter =
    formatters.get(key) ??
    (style in styles
      ? new Intl.DateTimeFormat(locale, { ...styles[style as keyof typeof styles], timeZone })
      : new Intl.DateTimeFormat(englishOf(locale), { ...wordStyles[style as WordStyle], timeZone }))
  formatters.set(key, formatter)
  return formatter
}

/** Returns English as it is written in the region of a locale: that of Germany has the day first, and 24 hours. */
function englishOf(locale = browserLocale()): string {
  const { region } = new Intl.Locale(locale).maximize()
  return region === undefined ? 'en' : `en-${region}`
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

/** Formats a time for a sentence, chart or title: `Tuesday 1 December`, `Tuesday, December 1`, `07:00`, `7:00 AM`. */
export const formatInWords = (style: WordStyle, at: Date | number | string, reader: Reader): string =>
  plainSpaces(formatterOf(style, reader).format(new Date(at))).replace(/\b\d:\d\d(?! ?[ap]m)/i, '0$&')

/** Returns `formatInWords` for the reader. @param timeZone that of the place; UTC for dates without a time */
export function useWordFormat(style: WordStyle, timeZone: string | undefined): (at: Date | number | string) => string {
  const { locale } = useReader()
  return useCallback((at) => formatInWords(style, at, { locale, timeZone }), [style, locale, timeZone])
}

/** Returns a formatter of times of the day, `14:00`, as the reader writes them: `2:00 PM`. */
export function useClockTime(): (time: string) => string {
  const { locale } = useReader()
  return useCallback((time) => clockTime(time, locale), [locale])
}

const clockTime = (time: string, locale: string | undefined): string =>
  formatInWords('hour', `1970-01-01T${time}Z`, { locale, timeZone: 'UTC' })

/** Returns true for a reader who writes `December 1` rather than `1 December`. */
export const writesMonthFirst = ({ locale }: Reader): boolean =>
  /^\D/.test(formatInWords('day', 0, { locale, timeZone: 'UTC' }))

const writtenDate =
  /(?:\b((?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day) )?\b(\d{1,2}) (January|February|March|April|May|June|July|August|September|October|November|December)\b( \d{4})?/g

const writtenInstant = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g

const writtenTime = /\b(at|from|to) ((?:[01]\d|2[0-3]):[0-5]\d)\b/g

const figure = String.raw`(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+)`

/**
 * Numbers with one sign for thousands, and all others of money, percent and counts: the rest may be versions, lists or
 * names of rooms. What stands in quotes is a name; it matches without a group.
 */
const writtenNumber = new RegExp(
  String.raw`“[^”]*”|"[^"]*"|(?<![\p{L}\d.,:/]|\p{L}\d*[-–])((?<=\b[A-Z]{3}[ \u00a0])${figure}|` +
    String.raw`${figure}(?=(?:[-–]\d[\d.,]*)?[ \u00a0](?:%|people|places|hours|days))|\d{1,3},\d{3}(?:\.\d+)?)` +
    String.raw`(?![\p{L}\d]|[.,]\d)`,
  'gu',
)

/**
 * Returns a sentence of the API for the reader, never one of the console. The API writes `Tuesday 17 March 2026`,
 * `at 14:00` and `1,234.5`, for all readers alike; one who has the month first gets `Tuesday, March 17, 2026` and
 * `at 2:00 PM`. Takes away the characters that would reorder its words.
 */
export function formatSentence(sentence: string, reader: Reader): string {
  const { locale } = reader
  const text = withoutDirections(sentence)
    .replaceAll(writtenNumber, (whole, number?: string) =>
      number === undefined ? whole : withSigns(number.replaceAll(',', '')),
    )
    .replaceAll(writtenInstant, (at) => formatDateTime(new Date(at), reader))
  if (!writesMonthFirst({ locale })) return text
  const clocked = text.replaceAll(writtenTime, (_, word: string, time: string) => `${word} ${clockTime(time, locale)}`)
  return clocked.replaceAll(writtenDate, (whole, weekday?: string, day?: string, month?: string, year?: string) =>
    // A day and a month alone may be a part of a name.
    weekday === undefined && year === undefined
      ? whole
      : `${weekday === undefined ? '' : `${weekday}, `}${month} ${day}${year === undefined ? '' : `,${year}`}`,
  )
}

/** Returns `formatSentence` for the reader. */
export function useSentence(): (sentence: string) => string {
  const reader = useReader()
  return (sentence) => formatSentence(sentence, reader)
}

/** Formats a time in full, in the zone of the reader and in UTC, each on a line. */
export const formatInFull = (at: Date, reader: Reader): string =>
  `${plainSpaces(formatterOf('full', reader).format(at))}\n${at.toISOString().replace('T', ' ').slice(0, 19)} UTC`
