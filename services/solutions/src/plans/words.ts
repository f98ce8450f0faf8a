import { dayNames, formatShare } from '../scenarios/result/words.ts'
import { dayOf, weekdayOf } from '../workplace/local-days.ts'
import { listNames } from '../workplace/tree.ts'

export { formatShare }

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

/** Names of floors in one sentence; the others are counted. */
const maxNames = 12

/** Joins names of floors by what they are in: `North (Floor 1 and Floor 2), South / Floor 1`. */
export function listFloors(floors: readonly { name: string }[]): string {
  const shown = floors.slice(0, maxNames).map(({ name }) => name.split(' / '))
  const groups = Map.groupBy(shown, (path) => path.slice(0, -1).join(' / '))
  const parts = [...groups].map(([around, paths]) => {
    const inner = paths.map((path) => path.at(-1) ?? '')
    const names = listNames(inner, maxNames)
    if (around === '') return names
    return paths.length === 1 ? `${around} / ${names}` : `${around} (${names})`
  })
  const left = floors.length - shown.length
  return [...parts, ...(left > 0 ? [`${left} more`] : [])].join(', ')
}
