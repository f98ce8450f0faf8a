/** Days in ISO 8601; the end is exclusive. A missing bound is open. */
export interface TimeRange {
  from?: string
  until?: string
  /** True if the year is not said: the days are those of year 2000. */
  isYearless?: boolean
  /** Returns the days in a year, where the year is not said and decides the days: a week. */
  inYear?: (year: number) => TimeRange | undefined
  /** True for what has not ended on the day of `from`. */
  isOpenEnded?: true
  /** A period by the clock, such as last week; see `around` and `rolling`. */
  relative?: { by: Unit; shift?: number; count?: number }
}

const months = [
  ...['january jan januar', 'february feb februar', 'march mar marz', 'april apr', 'may mai', 'june jun juni'],
  ...['july jul juli', 'august aug', 'september sep sept', 'october oct oktober okt', 'november nov'],
  'december dec dezember dez',
].map((names) => names.split(' '))
const month = `(${months.flat().join('|')})`
const year = String.raw`((?:19|20)\d\d)`
const unit = '(day|week|month|quarter|year|tag|woche|monat|quartal|jahr)(?:s|e|en|n)?'
const last = '(?:last|previous|past|letzte[nmrs]?|vergangene[nmrs]?|vorige[nmrs]?)'
const next = '(?:next|coming|nachste[nmrs]?|kommende[nmrs]?)'
const current = '(?:this|current|diese[nmrs]?|aktuelle[nmrs]?)'
const ordinals = [
  'first|1st|erste[nrs]?',
  'second|2nd|zweite[nrs]?',
  'third|3rd|dritte[nrs]?',
  'fourth|4th|vierte[nrs]?',
]

const units: Record<string, Unit> = { tag: 'day', woche: 'week', monat: 'month', quartal: 'quarter', jahr: 'year' }
export type Unit = 'day' | 'week' | 'month' | 'quarter' | 'year'
// The pattern admits the English names, and the German ones that the table translates.
const unitOf = (word = ''): Unit => units[word] ?? (word as Unit)

type Reader = (found: string[], today: Date) => TimeRange | undefined

/** Forms of periods, longer ones first. A reader returns undefined for what is no period, such as the 31st of June. */
export const periods: [string, Reader][] = [
  [
    String.raw`(\d{1,2})\.(\d{1,2})\.${year}`,
    ([d, m, y]) => (Number(m) > 12 ? undefined : dayRange(Number(y), Number(m), Number(d))),
  ],
  // `Am 20.1.`: without a word of time it is a number.
  [
    String.raw`(?<= (?:am|vom|bis|zum|seit|ab|vor|nach) )(\d{1,2})\.(\d{1,2})`,
    ([d, m]) => (Number(m) > 12 ? undefined : dayRange(undefined, Number(m), Number(d))),
  ],
  [
    String.raw`(?:calendar week|week|kalenderwoche|kw|woche) (\d{1,2})(?: (?:of |in )?${year})?`,
    ([week, y]) => weekRange(numberOf(y), Number(week)),
  ],
  [String.raw`${year}-(\d\d)-(\d\d)`, ([y, m, d]) => dayRange(Number(y), Number(m), Number(d))],
  [String.raw`${year}-(\d\d)`, ([y, m]) => monthRange(Number(y), Number(m))],
  // `Between 1 and 15 May`, `vom 1. bis 15. Mai`
  [
    String.raw`(?:(?:between|from|zwischen|vom|von) )?(\d{1,2})(?:st|nd|rd|th)? (?:and|to|until|till|through|und|bis) (?:the |zum )?(\d{1,2})(?:st|nd|rd|th)? (?:of )?${month}(?: ${year})?`,
    ([first, last, m, y]) => daysRange(numberOf(y), monthOf(m), [Number(first), Number(last)]),
  ],
  [
    String.raw`(\d{1,2})(?:st|nd|rd|th)? (?:of )?${month}(?: ${year})?`,
    ([d, m, y]) => dayRange(numberOf(y), monthOf(m), Number(d)),
  ],
  [
    String.raw`${month} (\d{1,2})(?:st|nd|rd|th)?\b(?: ${year})?`,
    ([m, d, y]) => dayRange(numberOf(y), monthOf(m), Number(d)),
  ],
  [
    `${month}(?: (?:of )?(?:${year}|(${last}|${current}|${next}) (?:year|jahr(?:es)?)))?`,
    ([m, y, relative], today) => monthRange(numberOf(y) ?? relativeYear(relative, today), monthOf(m)),
  ],
  [
    `(?:q([1-4])|([1-4])(?: quartal)|(${ordinals.join('|')}) (?:quarter|quartal))(?: (?:of )?${year})?`,
    ([q, german, word, y]) => quarterRange(numberOf(y), Number(q ?? german ?? ordinalOf(word))),
  ],
  [
    `(?:(?:the )?(first|second|erste[ns]?|zweite[ns]?) (?:half(?= of (?:the year|20\\d\\d) )|halbjahr)|h([12]))(?: (?:of )?(?:the )?(?:year )?(?:${year})?)?`,
    ([word = '', h, y]) =>
      monthRange(numberOf(y), (h ?? (/^(?:first|erste)/.test(word) ? '1' : '2')) === '1' ? 1 : 7, 6),
  ],
  [`(?:year |jahr |jahre )?${year}`, ([y]) => monthRange(Number(y), 1, 12)],
  [`${last} ${unit}`, ([name], today) => relativeRange(today, { by: unitOf(name), shift: -1 })],
  [`${current} ${unit}`, ([name], today) => relativeRange(today, { by: unitOf(name), shift: 0 })],
  [`${next} ${unit}`, ([name], today) => relativeRange(today, { by: unitOf(name), shift: 1 })],
  [
    String.raw`${last} (\d{1,3}) ${unit}`,
    ([count, name], today) => relativeRange(today, { by: unitOf(name), count: Number(count) }),
  ],
  ['(?:upcoming|future|kunftige\\w*|bevorstehende\\w*|anstehende\\w*)', (_found, today) => ({ from: dayText(today) })],
  ['(?:today|heute)', (_found, today) => relativeRange(today, { by: 'day', shift: 0 })],
  ['(?:yesterday|gestern)', (_found, today) => relativeRange(today, { by: 'day', shift: -1 })],
  ['(?:tomorrow|morgen)', (_found, today) => relativeRange(today, { by: 'day', shift: 1 })],
]

const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text))
const monthOf = (name = ''): number => months.findIndex((names) => names.includes(name)) + 1
const ordinalOf = (word = ''): number => ordinals.findIndex((names) => new RegExp(`^(?:${names})$`).test(word)) + 1
const dayText = (date: Date): string => date.toISOString().slice(0, 10)
const utc = (y: number, m: number, d = 1): Date => new Date(Date.UTC(y, m - 1, d))

function relativeYear(word: string | undefined, today: Date): number | undefined {
  if (word === undefined) return undefined
  const shift = new RegExp(last).test(word) ? -1 : new RegExp(next).test(word) ? 1 : 0
  return today.getUTCFullYear() + shift
}

const yearlessYear = 2000

function dayRange(y: number | undefined, m: number, d: number): TimeRange | undefined {
  const from = utc(y ?? yearlessYear, m, d)
  if (from.getUTCMonth() !== m - 1) return undefined
  return ranged(y, from, new Date(from.getTime() + dayMs))
}

function monthRange(y: number | undefined, m: number, count = 1): TimeRange | undefined {
  return m < 1 || m > 12 ? undefined : ranged(y, utc(y ?? yearlessYear, m), utc(y ?? yearlessYear, m + count))
}

/** Returns the time from one day of a month to another. */
function daysRange(y: number | undefined, m: number, [first, last]: [number, number]): TimeRange | undefined {
  const [begin, end] = [dayRange(y, m, first), dayRange(y, m, last)]
  if (begin?.from === undefined || end?.until === undefined || begin.from >= end.until) return undefined
  return { ...end, from: begin.from }
}

const quarterRange = (y: number | undefined, q: number) => monthRange(y, 3 * q - 2, 3)

const ranged = (y: number | undefined, from: Date, until: Date): TimeRange => ({
  from: dayText(from),
  until: dayText(until),
  ...(y === undefined ? { isYearless: true } : {}),
})

const dayMs = 86_400_000

/** Returns a week of ISO 8601: the first one of a year has its 4th of January. */
function weekRange(y: number | undefined, week: number): TimeRange | undefined {
  if (week < 1 || week > 53) return undefined
  if (y === undefined) return { isYearless: true, inYear: (year) => weekRange(year, week) }
  const range = around(new Date(utc(y, 1, 4).getTime() + 7 * (week - 1) * dayMs), 'week', 0)
  // The Thursday of a week says its year.
  const thursday = new Date(Date.parse(range.from ?? '') + 3 * dayMs)
  return thursday.getUTCFullYear() === y ? range : undefined
}

/** Returns the number of the week of a day in ISO 8601. */
export function isoWeekOf(day: string): number {
  const date = new Date(`${day}T00:00:00Z`)
  const thursday = new Date(date.getTime() + (3 - ((date.getUTCDay() + 6) % 7)) * dayMs)
  return 1 + Math.floor((thursday.getTime() - utc(thursday.getUTCFullYear(), 1).getTime()) / (7 * dayMs))
}

/** Returns a period by the clock, which remembers what it was made of. */
export function relativeRange(today: Date, relative: NonNullable<TimeRange['relative']>): TimeRange {
  const { by, shift, count } = relative
  return { ...(count === undefined ? around(today, by, shift ?? 0) : rolling(today, by, count)), relative }
}

/** Returns the period of today, or one before or after it. A week begins on Monday. */
function around(today: Date, by: Unit, shift: number): TimeRange {
  const [y, m, d] = [today.getUTCFullYear(), today.getUTCMonth() + 1, today.getUTCDate()]
  const begins: Record<Unit, (at: number) => Date> = {
    day: (at) => utc(y, m, d + at),
    week: (at) => utc(y, m, d - ((today.getUTCDay() + 6) % 7) + 7 * at),
    month: (at) => utc(y, m + at),
    quarter: (at) => utc(y, m - ((m - 1) % 3) + 3 * at),
    year: (at) => utc(y + at, 1),
  }
  return { from: dayText(begins[by](shift)), until: dayText(begins[by](shift + 1)) }
}

/** Returns the last days, weeks or months, up to and with today. */
function rolling(today: Date, by: Unit, count: number): TimeRange {
  const [y, m, d] = [today.getUTCFullYear(), today.getUTCMonth() + 1, today.getUTCDate() + 1]
  const days = { day: 1, week: 7, month: 0, quarter: 0, year: 0 }[by] * count
  const monthCount = { day: 0, week: 0, month: 1, quarter: 3, year: 12 }[by] * count
  return { from: dayText(utc(y, m - monthCount, d - days)), until: dayText(utc(y, m, d)) }
}
