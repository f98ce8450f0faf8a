import { dayNames, formatShare, listNames } from '../scenarios/result/words.ts'
import { dayOf, weekdayOf } from '../workplace/local-days.ts'

export { formatShare, listNames }

/** Formats a number of people for a sentence, rounded to whole ones. */
export const whole = (people: number): string => Math.round(people).toLocaleString('en')

/** Formats a count with its noun: `1 meal`, `2 meals`. */
export const count = (number: number, noun: string, plural = `${noun}s`): string =>
  `${number.toLocaleString('en')} ${number === 1 ? noun : plural}`

export const people = (number: number): string => count(Math.round(number), 'person', 'people')

export const weekdayName = (date: string): string => dayNames[weekdayOf(dayOf(date))] ?? ''

const monthAndDay = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'long' })

/** Formats a date: `Tuesday 3 March`. */
export const longDay = (date: string): string =>
  `${weekdayName(date)} ${monthAndDay.format(new Date(`${date}T00:00:00Z`))}`

/** Formats hours with at most one decimal. */
export const hoursText = (minutes: number): string => `${Math.round(minutes / 6) / 10}`
