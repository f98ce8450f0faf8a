import type { Language } from '../../language/words.ts'

/** Times that come again: days of the week by their names in English, and hours of the day; the end is exclusive. */
export interface Recurrence {
  weekdays?: string[]
  fromHour?: number
  untilHour?: number
  /** True for `Mondays or Fridays`, which may be compared. */
  isEither?: true
  /** True for `except on Mondays`, which has the other days. */
  isExcept?: true
}

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const names = [
  ...['mondays?|montage?s?', 'tuesdays?|dienstage?s?', 'wednesdays?|mittwoche?s?', 'thursdays?|donnerstage?s?'],
  ...['fridays?|freitage?s?', 'saturdays?|samstage?s?|sonnabende?s?', 'sundays?|sonntage?s?'],
]
const days = names.join('|')
const [weekend, workdays] = ['weekends?|wochenenden?', '(?:on|during) weekdays|an wochentagen']
const before = '(?:on |am |an |at |jeden |the |den )*'
const exceptions = 'except for|except|excluding|without|not|ohne|ausser|nicht'
const joined = '(and|or|than|und|oder|als|to|through|bis)'
/** `Last Monday` is one day, and not every Monday. */
const single = '(?<! (?:last|next|this|letzten?|nachsten?|diesen?|kommenden?|first|second|third|every other) )'

const numberOf = (name: string): number => names.findIndex((pattern) => new RegExp(`^(?:${pattern})$`).test(name))

/** Returns the days that a word or a list of words names, in their order in the week. */
function daysOf(text: string): string[] {
  if (new RegExp(`(?:${weekend})`).test(text)) return weekdays.slice(5)
  if (new RegExp(`(?:${workdays})`).test(text)) return weekdays.slice(0, 5)
  const found = [...text.matchAll(new RegExp(`(?<= )(?:${days})(?= )`, 'g'))].map(([name]) => numberOf(name))
  const [first = 0, last = 0] = found
  const isSpan = / (?:to|through|bis) /.test(text) && first < last
  return weekdays.filter((_day, at) => (isSpan ? at >= first && at <= last : found.includes(at)))
}

const hour = String.raw`(\d{1,2})(?: 00)?`
const half = { en: 'am|pm', de: 'uhr|h' }
const afterHour = String.raw`(?= $| [TR]\d+ | (?:on|in|am|im|of) )`

/** Returns an hour from 0 to 24; undefined for what is none. */
function hourOf(digits: string, half: string | undefined): number | undefined {
  const value = Number(digits)
  if (half !== 'am' && half !== 'pm') return value <= 24 ? value : undefined
  if (value < 1 || value > 12) return undefined
  return (value % 12) + (half === 'pm' ? 12 : 0)
}

type Reader = (found: string[]) => Recurrence | undefined

const spanOf = (from: number | undefined, until: number | undefined): Recurrence | undefined =>
  from === undefined || until === undefined || from >= until ? undefined : { fromHour: from, untilHour: until }

/** Forms of hours, longer ones first. A reader returns undefined for what is no hour, such as `14 pm`. */
function hourForms(language: Language): [string, Reader][] {
  const unit = `(${half[language]}|o clock)`
  return [
    [
      `(?:between|zwischen|from|von) ${hour}(?: ${unit})? (?:and|und|to|until|till|bis) ${hour} ${unit}`,
      ([first = '', firstHalf, last = '', lastHalf]) => {
        const until = hourOf(last, lastHalf)
        const from = hourOf(first, firstHalf ?? lastHalf)
        // `Between 11 and 1 pm` begins in the morning.
        const isMorning = firstHalf === undefined && lastHalf === 'pm' && (from ?? 0) > (until ?? 0)
        return spanOf(isMorning ? hourOf(first, 'am') : from, until)
      },
    ],
    [
      `(?:before|until|till|earlier than|vor|bis) ${hour} ${unit}`,
      ([digits = '', half]) => spanOf(0, hourOf(digits, half)),
    ],
    [
      `(?:after|from|since|later than|nach|ab|seit) ${hour} ${unit}`,
      ([digits = '', half]) => spanOf(hourOf(digits, half), 24),
    ],
    [`(?:(?:at|um|gegen) )?${hour} ${unit}`, ([digits = '', half]) => at(hourOf(digits, half))],
    [`(?:at|um) ${hour}${afterHour}`, ([digits = '']) => at(hourOf(digits, undefined))],
    ['(?:in the mornings?|(?<=R\\d+ )mornings?|vormittags|am vormittag)', () => spanOf(0, 12)],
    ['(?:in the afternoons?|(?<=R\\d+ )afternoons?|nachmittags|am nachmittag)', () => spanOf(12, 18)],
  ]
}

const at = (hour: number | undefined): Recurrence | undefined => spanOf(hour, hour === undefined ? undefined : hour + 1)

/** Replaces the days of the week and hours of a text in lower case by `R0`, `R1`, and returns what they stand for. */
export function takeRecurrences(text: string, language: Language): { text: string; recurrences: Recurrence[] } {
  const recurrences: Recurrence[] = []
  const put = (recurrence: Recurrence) => `R${recurrences.push(recurrence) - 1}`
  const list = `${before}(?:${days}|${weekend})(?: ${joined} ${before}(?:${days}|${weekend}))*`
  const pattern = `(?<= )${single}(?:(${exceptions}) )?(?:${list}|${workdays})(?= )`
  let rest = text.replaceAll(new RegExp(pattern, 'g'), (found: string, exception: string | undefined) => {
    const named = daysOf(` ${found} `)
    if (exception !== undefined)
      return put({ weekdays: weekdays.filter((day) => !named.includes(day)), isExcept: true })
    return put({ weekdays: named, ...(/ (?:or|than|oder|als) /.test(found) ? { isEither: true } : {}) })
  })
  for (const [pattern, read] of hourForms(language))
    rest = rest.replaceAll(new RegExp(`(?<= )${pattern}(?= )`, 'g'), (found: string, ...groups: unknown[]) => {
      const recurrence = read(groups.slice(0, -2) as string[]) // the groups, before the position and the text
      return recurrence === undefined ? found : put(recurrence)
    })
  return { text: rest, recurrences }
}
