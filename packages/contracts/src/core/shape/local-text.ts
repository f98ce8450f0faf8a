/** The signs with which a person writes numbers. */
export interface NumberSigns {
  decimal: string
  group: string
}

/** The texts of the platform have the signs of English. */
export const englishSigns: NumberSigns = { decimal: '.', group: ',' }

/** Returns the signs of a locale (BCP 47). */
export function signsOf(locale: string): NumberSigns {
  // Without Intl for most readers: its first format takes a browser some 50 ms.
  if (/^en(-(US|GB|IE|CA|AU|NZ))?$/.test(locale)) return englishSigns
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(12_345.6)
  const sign = (type: string, otherwise: string) => parts.find((part) => part.type === type)?.value ?? otherwise
  return { decimal: sign('decimal', '.'), group: sign('group', '\u00a0') }
}

/**
 * Returns the signs of CSV that spreadsheets of a locale read. Those of Switzerland and Liechtenstein separate columns
 * at semicolons, though numbers there have points.
 */
export function csvSignsOf(locale: string): { decimal: string; separator: ',' | ';' } {
  const decimal = signsOf(locale).decimal === ',' ? ',' : '.'
  const { region = '' } = new Intl.Locale(locale).maximize()
  return { decimal, separator: decimal === ',' || /^(?:CH|LI)$/.test(region) ? ';' : ',' }
}

/** Writes a number that has no separators, `12345.60`, with signs: `12.345,60`. */
export function withSigns(plain: string, { decimal, group }: NumberSigns): string {
  const [whole = '', decimals] = plain.split('.')
  const separated = whole.replace(/\B(?=(?:\d{3})+$)/g, group)
  return decimals === undefined ? separated : separated + decimal + decimals
}

/** Styles of times in sentences, charts and titles. Weekdays and months are English, as the sentences are. */
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
  zonedHour: { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

export type WordStyle = keyof typeof wordStyles

/** Writes dates and sentences as a person does. */
export interface LocalText {
  /** `23 Nov 2026`, `23.11.2026`. */
  date: (at: Date) => string
  /** `23 Nov 2026, 05:37`, `Nov 23, 2026, 5:37 AM`. */
  dateTime: (at: Date) => string
  /** `23 Nov 2026, 05:37 UTC`, `23.11.2026, 06:37 CET`. */
  zonedDateTime: (at: Date) => string
  /** Date and time with seconds, weekday and zone. */
  full: (at: Date) => string
  /** `Tuesday 1 December`, `Tuesday, December 1`, `Tuesday, 01.12.`; `07:00`, `7:00 AM`. */
  words: (style: WordStyle, at: Date) => string
  /** Writes the dates and numbers of a sentence of the platform, which has those of British English. */
  sentence: (sentence: string) => string
}

const figures = { day: '2-digit', month: '2-digit' } as const

/**
 * Returns the texts of a person who is written to; of British English and UTC where nothing is chosen. A workspace
 * begins with English of no region, which is no choice of an order of dates.
 */
export const textForReader = ({ locale, timezone }: { locale?: string | null; timezone: string | null }): LocalText =>
  localText({ locale: locale && locale !== 'en' ? locale : 'en-GB', timeZone: timezone ?? 'UTC' })

/**
 * Returns the texts of a locale: dates have words for a person of an English language, in the order of the region, and
 * figures for others, everywhere alike.
 * @param writer.timeZone of times; undefined for that of the process
 */
export function localText({
  locale: chosen,
  timeZone,
  signs = signsOf(chosen),
}: {
  locale: string
  timeZone?: string | undefined
  signs?: NumberSigns
}): LocalText {
  // Without the extensions: one may ask for another calendar, in which the sentences are not.
  const { baseName: locale, language } = new Intl.Locale(chosen)
  const { region = 'US' } = new Intl.Locale(locale).maximize()
  const [isEnglish, english] = [language === 'en', `en-${region}`]
  // English of a region that speaks another language has the clock of the United States.
  const { hourCycle, hour12: isTwelveHours } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions()
  const fixed = { timeZone, hourCycle, calendar: 'gregory', numberingSystem: 'latn' } as const
  // Making a format costs as much as a hundred uses.
  const formats = new Map<string, Intl.DateTimeFormat>()
  const format = (options: Intl.DateTimeFormatOptions, at: Date, tag = english): string => {
    const key = tag + JSON.stringify(options)
    const used = formats.get(key) ?? new Intl.DateTimeFormat(tag, { ...fixed, ...options })
    formats.set(key, used)
    // Intl separates AM and PM by a space that fonts lack and tests do not find, and Arabic dates by directions.
    const text = used.format(at).replaceAll('\u202f', ' ').replaceAll('\u200f', '')
    return text.replace(/(?<![\d+−-])\d:\d\d(?! ?[ap]\.?m)/i, '0$&')
  }
  // Bulgarian dates end with a word for the year.
  const inFigures = (at: Date, options: Intl.DateTimeFormatOptions = {}) =>
    format({ ...figures, ...options }, at, locale).replace(/ \p{L}+\.?$/u, '')
  const words = (style: WordStyle, at: Date, zone: { timeZone?: string } = {}): string => {
    const { weekday, hour, minute, timeZoneName, ...day }: Intl.DateTimeFormatOptions = wordStyles[style]
    const time = hour === undefined ? {} : { hour, minute, timeZoneName }
    if (isEnglish || day.day === undefined) return format({ ...wordStyles[style], ...zone }, at)
    const parts = [
      weekday !== undefined && format({ weekday, ...zone }, at),
      inFigures(at, zone),
      hour !== undefined && format({ ...time, ...zone }, at),
    ]
    return parts.filter(Boolean).join(', ')
  }
  const date = (at: Date, zone: { timeZone?: string } = {}): string =>
    isEnglish ? format({ dateStyle: 'medium', ...zone }, at, locale) : inFigures(at, { year: 'numeric', ...zone })
  const dateTime = (at: Date): string => `${date(at)}, ${words('hour', at)}`
  const zonedDateTime = (at: Date): string => `${date(at)}, ${words('zonedHour', at)}`
  const full = (at: Date): string => format({ dateStyle: 'full', timeStyle: 'long' }, at)
  const hasMonthFirst = /^\D/.test(format({ day: 'numeric', month: 'long' }, new Date(0)))
  const utc = { timeZone: 'UTC' }
  const writeDay = (whole: string, weekday?: string, day?: string, month?: string, year = ''): string => {
    // A day and a month alone may be a part of a name.
    if (weekday === undefined && year === '') return whole
    if (isEnglish && !hasMonthFirst) return whole
    const before = weekday === undefined ? '' : `${weekday}, `
    if (isEnglish) return `${before}${month} ${day}${year && `,${year}`}`
    const at = new Date(`${day} ${month}${year || ' 2000'} UTC`)
    if (at.getUTCDate() !== Number(day)) return whole
    return before + inFigures(at, year === '' ? utc : { year: 'numeric', ...utc })
  }
  const sentence = (text: string): string => {
    const written = text
      .replaceAll(writtenNumber, (whole, number: string | undefined, at: number) =>
        number === undefined || isOfName(text.slice(Math.max(0, at - 5), at), number)
          ? whole
          : withSigns(number.replaceAll(',', ''), signs),
      )
      .replaceAll(writtenInstant, (at) => (isReal(at) ? dateTime(new Date(at)) : at))
      .replaceAll(writtenDay, (whole, day?: string) =>
        day !== undefined && isReal(day) ? date(new Date(day), utc) : whole,
      )
      // A date may end with the full stop of the sentence.
      .replaceAll(writtenDate, (whole, ...groups: (string | undefined)[]) => writeDay(whole, ...groups.slice(0, 4)))
      .replaceAll(/(\b\d\d\.\d\d\.)\.(?=\s|$)/g, '$1')
    if (!isTwelveHours) return written
    const clock = (time: string) => words('hour', new Date(`1970-01-01T${time}Z`), utc)
    return written.replaceAll(writtenTime, (_, word: string, time: string) => `${word} ${clock(time)}`)
  }
  return { date, dateTime, zonedDateTime, full, words, sentence }
}

/** Returns true for a day that exists: JavaScript reads 30 February as 2 March. */
function isReal(written: string): boolean {
  const at = new Date(written)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(written.slice(0, 19))
}

/** True for the number of a name such as `HQB 1.2`, whose letters are no currency. */
function isOfName(before: string, number: string): boolean {
  const letters = /\b([A-Z]{3})[ \u00a0]$/.exec(before)?.[1]
  return letters !== undefined && !number.includes(',') && !Intl.supportedValuesOf('currency').includes(letters)
}

const writtenDate =
  /(?:\b((?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day) )?\b(\d{1,2}) (January|February|March|April|May|June|July|August|September|October|November|December)\b( \d{4})?/g

const writtenInstant = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g

/** A name stands in quotes. The sign of inches follows a figure, and begins none. */
const quoted = String.raw`“[^“”]{0,300}”|(?<![^\s(])"[^"]{0,300}"`

/** A date of ISO 8601; a name matches without a group. */
const writtenDay = new RegExp(String.raw`${quoted}|(?<![\w./-])(\d{4}-\d\d-\d\d)(?![\w-]|[./:]\w)`, 'g')

const writtenTime = /\b(at|from|to) ((?:[01]\d|2[0-3]):[0-5]\d)\b/g

const figure = String.raw`(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+)`

/**
 * Numbers with one sign for thousands, and all others of money, percent and counts: the rest may be versions, lists or
 * names of rooms. A name in quotes matches without a group.
 */
const writtenNumber = new RegExp(
  String.raw`${quoted}|(?<![\p{L}\d.,:/]|\p{L}\d*[-–])((?<=^(?:under )?)${figure}(?=$)|` +
    String.raw`(?<=\b[A-Z]{3}[ \u00a0])${figure}|` +
    String.raw`${figure}(?=(?:[-–]\d[\d.,]*)?[ \u00a0](?:%|people|places|hours|days|minutes|rows|meals))|\d{1,3},\d{3}(?:\.\d+)?)` +
    String.raw`(?![\p{L}\d]|[.,]\d)`,
  'gu',
)
