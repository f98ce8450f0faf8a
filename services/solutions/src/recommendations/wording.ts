import type { Frequency, Period, SeriesKey } from '../forecast/shapes.ts'
import type { Window } from './recommendation.ts'

const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

export const weekdayName = (weekday: number): string => weekdayNames[weekday] ?? ''

/** Formats weekdays in the plural: `Tuesdays and Fridays`. */
export const weekdaysText = (weekdays: readonly number[]): string =>
  joinAnd(weekdays.map((weekday) => `${weekdayName(weekday)}s`))

/** Names the group of a series within a sentence, or at its start. */
export const nameOf = (key: SeriesKey, article: 'the' | 'The' = 'the'): string =>
  Object.values(key).join(' / ') || `${article} building`

/** Names what the peak of a period is: of hours the highest one, of longer steps their value. */
export const peakName = (frequency: Frequency): string => (frequency === 'hour' ? 'The busiest hour' : 'The total')

export function joinAnd(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** Formats a count: whole from 10 on, with separators from 1,000 on. */
export const figure = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: digitsOf(value) })

const digitsOf = (value: number): number => (value >= 10 ? 0 : 1)

/** Rounds a count as `figure` writes it, so that differences of what is written agree with it. */
export const written = (value: number): number => Number(value.toFixed(digitsOf(value)))

export const percent = (share: number): string => `${Math.round(share * 100)} %`

const dayMs = 86_400_000

/** Formats the date of a period: `Tuesday 17 March 2026`, or `the week that starts on 16 March 2026`. */
export function periodText({ date, weekday, startMs }: Period): string {
  if (date === null || weekday === null) return `the week that starts on ${dateText(startMs + dayMs / 2)}`
  return `${weekdayName(weekday)} ${dateText(date * dayMs)}`
}

const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

const dateText = (at: number): string => dateFormat.format(at)

/** Returns the window from the first to the last of some periods. */
export function windowOf(periods: readonly Period[]): Window {
  const weekdays = new Set(periods.flatMap(({ weekday }) => weekday ?? []))
  return {
    from: new Date(Math.min(...periods.map(({ startMs }) => startMs))).toISOString(),
    until: new Date(Math.max(...periods.map(({ endMs }) => endMs))).toISOString(),
    weekdays: [...weekdays].sort((a, b) => a - b).map((weekday) => weekdayName(weekday).toLowerCase()),
  }
}
