// Distances are written out instead of using Intl, as in format.ts; dates need the locale of the reader.
import { type LocalText, localText, type WordStyle } from '@wp/contracts/local-text'
import { useCallback } from 'react'
import { formatCount } from './format.ts'
import { browserLocale, numberSigns } from './number-signs.ts'
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
  // An invitation of seven days has seven left, not six, a moment after it was made.
  const countOf = (size: number) => Math.trunc(isPast ? -seconds / size : seconds / size + 0.01)
  const [unit, size] = units.find(([, length]) => countOf(length) > 0) ?? (['second', 1] as const)
  if (unit === 'second' && Math.abs(seconds) < 10) return isPast || seconds === 0 ? 'just now' : 'in a moment'
  const count = countOf(size)
  const neighbour = count === 1 ? neighbours[unit] : undefined
  if (neighbour) return neighbour[isPast ? 0 : 1]
  const distance = formatCount(count, unit)
  return isPast ? `${distance} ago` : `in ${distance}`
}

/** The texts of locales and zones that were used: making the formats of one takes long. */
const texts = new Map<string, LocalText>()

function textOf({ locale = browserLocale(), timeZone }: Reader): LocalText {
  const signs = numberSigns()
  const key = `${locale} ${timeZone} ${signs.decimal} ${signs.group}`
  const text = texts.get(key) ?? localText({ locale, timeZone, signs })
  texts.set(key, text)
  return text
}

/** Formats the date of a time as the reader writes it: `23 Nov 2026`, `23.11.2026`. */
export const formatDate = (at: Date, reader: Reader): string => textOf(reader).date(at)

/** Formats date and time as the reader writes them: `23 Nov 2026, 05:37`, `Nov 23, 2026, 5:37 AM`. */
export const formatDateTime = (at: Date, reader: Reader): string => textOf(reader).dateTime(at)

/**
 * Formats a date without a time, `2026-11-23`, as the reader writes it. @returns the text itself if it is no date
 */
export function formatDay(day: string, { locale }: Reader): string {
  const at = new Date(`${day.slice(0, 10)}T00:00:00Z`)
  return at.getUTCDate() === Number(day.slice(8, 10)) ? formatDate(at, { locale, timeZone: 'UTC' }) : day
}

/** Formats a time for a sentence, chart or title: `Tuesday 1 December`, `Tuesday, 01.12.`, `07:00`, `7:00 AM`. */
export const formatInWords = (style: WordStyle, at: Date | number | string, reader: Reader): string =>
  textOf(reader).words(style, new Date(at))

/** Returns `formatInWords` for the reader. @param timeZone that of the place; UTC for dates without a time */
export function useWordFormat(style: WordStyle, timeZone: string | undefined): (at: Date | number | string) => string {
  const { locale } = useReader()
  return useCallback((at) => formatInWords(style, at, { locale, timeZone }), [style, locale, timeZone])
}

/** Returns a formatter of times of the day, `14:00`, as the reader writes them: `2:00 PM`. */
export function useClockTime(): (time: string) => string {
  const format = useWordFormat('hour', 'UTC')
  return useCallback((time) => format(`1970-01-01T${time}Z`), [format])
}

/** Returns the pattern of a day on the axis of a chart, for uPlot: `{D} {MMM}`, `{MMM} {D}`, `{DD}.{MM}.`. */
export const axisDay = ({ locale }: Reader): string => {
  const text = formatInWords('shortDay', '2000-11-22T00:00Z', { locale, timeZone: 'UTC' })
  return text.includes('11')
    ? text.replace('22', '{DD}').replace('11', '{MM}')
    : text.replace('22', '{D}').replace('Nov', '{MMM}')
}

/**
 * Returns a sentence of the API for the reader, never one of the console, with its dates, times and numbers as the
 * reader writes them. Takes away the characters that would reorder its words.
 */
export const formatSentence = (sentence: string, reader: Reader): string =>
  textOf(reader).sentence(withoutDirections(sentence))

/** Returns `formatSentence` for the reader. */
export function useSentence(): (sentence: string) => string {
  const reader = useReader()
  return (sentence) => formatSentence(sentence, reader)
}

/** Formats a time in full, in the zone of the reader and in UTC, each on a line. */
export const formatInFull = (at: Date, reader: Reader): string =>
  `${textOf(reader).full(at)}\n${at.toISOString().replace('T', ' ').slice(0, 19)} UTC`
