import { plainCharacters } from '../plain-characters.ts'
import { dateText } from './format-timestamp.ts'
import { weekdaysOf } from './weekday-names.ts'
import { offsetOfZone } from './zone-names.ts'

/** A time without the words around it, and the days of the week that these name. */
export interface PlainTimestamp {
  text: string
  /** 0 for Sunday; undefined if no day of the week is named. */
  weekdays: readonly number[] | undefined
}

const maxLength = 80
/** A year, or a date without its century, in any digits: most texts have neither, and are not examined further. */
const mayBeDate = /(?<!\d)(?:1[3-9]|2[0156])\d\d(?!\d)|\d[./-] ?\d{1,2}[./-] ?\d|令和|[^\P{Nd}0-9]/u

/**
 * Returns a time without the words that do not change what it says: `Mo, 5. Januar 2026 um 14:00 Uhr` becomes
 * `5. Januar 2026 14:00`. Names of time zones become offsets, and weeks of ISO 8601 the date of their Monday.
 * @returns undefined if the text has no such words
 */
export function plainTimestamp(text: string): PlainTimestamp | undefined {
  if (text.length < 6 || text.length > maxLength || !mayBeDate.test(text)) return undefined
  const digits = plainCharacters(text)
  const week = readWeek(digits)
  if (week !== undefined) return { text: week, weekdays: undefined }
  const { text: bare, weekdays } = withoutWeekday(digits)
  const plain = withOffset(withPlainTime(withPlainDate(bare)))
  return plain === text ? undefined : { text: plain, weekdays }
}

/** Returns false if a date, in days since 1970, is on another day of the week than those. */
export const isOnWeekday = (day: number, weekdays: readonly number[] | undefined): boolean =>
  weekdays === undefined || weekdays.includes((((day + 4) % 7) + 7) % 7)

const yearAndWeek = /^(\d{4})[ -]?(?:W|KW|CW)[ -]?(\d{1,2})(?:-([1-7]))?$/i
const weekAndYear = /^(?:W|KW|CW)[ .-]{0,2}(\d{1,2})[ ]?[ /.-][ ]?(\d{4})$/i

/** Returns the Monday of a week such as `2026-W12` or `KW 12/2026`. Weeks of other words may be counted otherwise. */
function readWeek(text: string): string | undefined {
  const [, year, week, day] = yearAndWeek.exec(text) ?? []
  if (year !== undefined) return dateOfWeek(Number(year), Number(week), Number(day ?? 1))
  const [, number, ofYear] = weekAndYear.exec(text) ?? []
  return ofYear === undefined ? undefined : dateOfWeek(Number(ofYear), Number(number))
}

/** A day of the week before the date, in brackets, or after the year. */
const weekdayPatterns = [
  /^()(\p{L}[\p{L}-]{0,14})(?:\.|,|\.,)?[ \u00a0]+(?=[\p{L}\d])/u,
  /(\d|日) ?[(（](\p{L}{1,15})\.?[)）]/u,
  /(\d{4}),? (\p{L}{2,15})\.?,?(?=$| \d)/u,
] as const

function withoutWeekday(text: string): PlainTimestamp {
  for (const pattern of weekdayPatterns) {
    const [, before = '', name] = pattern.exec(text) ?? []
    const weekdays = name === undefined ? [] : weekdaysOf(name)
    if (weekdays.length > 0) return { text: text.replace(pattern, before), weekdays }
  }
  return { text, weekdays: undefined }
}

const firstReiwaYear = 2019

/** Writes dates of East Asia, ordinals and `5 de enero de 2026` as other dates. */
const withPlainDate = (text: string): string =>
  text
    .replace(/^令和(\d{1,2})年/, (_, year) => `${firstReiwaYear - 1 + Number(year)}年`)
    .replace(/^(\d{4})[年년] ?(\d{1,2})[月월] ?(\d{1,2})[日일]/, '$1-$2-$3')
    .replace(/^(\d{4}\. ?\d{1,2}\. ?\d{1,2})\.(?=$| )/, '$1')
    .replace(/^(\d{1,2}) de (\p{L}+) del? (\d{4})/u, '$1 $2 $3')
    .replace(/\b(\d{1,2})(?:st|nd|rd|th|er|º|°)(?=[ ,])/, '$1')

/** Writes `um 14.30 Uhr`, `7h30`, `8 PM` and `午後 2:30` with a colon, after a space. */
const withPlainTime = (text: string): string =>
  text
    .replace(/,? (?:um|at|à|om|alle ore|alle|a las|às|kl\.?) (?=\d{1,2}(?:[:.hH時]| ?[ap]\.?m| Uhr))/iu, ' ')
    // A second date may follow a dash.
    .replace(/ [-–|@] (?=\d{1,2}(?:[:hH]\d\d| Uhr))/u, ' ')
    .replace(
      / (\d{1,2})[時시] ?(?:(\d{1,2})[分분])?$/,
      (_, hour, minute = '0') => ` ${hour}:${minute.padStart(2, '0')}`,
    )
    .replace(/(午前|上午|오전|午後|下午|오후) ?(\d{1,2}:\d{2}(?::\d{2})?)/, (_, half, time) =>
      /午前|上午|오전/.test(half) ? `${time} AM` : `${time} PM`,
    )
    .replace(/([ T])(\d{1,2})[hH](\d{2})(?!\d)/, '$1$2:$3')
    .replace(/( \d{1,2}) ?(?:h|Uhr|uur)$/i, '$1:00')
    .replace(/( \d{1,2}) ?(?=[ap]\.?m\.?$)/i, '$1:00 ')
    .replace(/(?<=\d) (?:Uhr|uur)\b/i, '')
    .replace(/(?<=\d,? )(\d{1,2})\.(\d{2})$/, '$1:$2')
    .replace(/(?<=\d{4},? )(\d{1,2})\.(\d{2})\.(\d{2})$/, '$1:$2:$3')

/** Writes the name of a zone, or `GMT+1`, as an offset. A name after an offset says the same again. */
function withOffset(text: string): string {
  const bare = text.replace(/(?<=(?:Z|[+-]\d{2}:?\d{2})) ?(?:\[[\w/+-]{1,40}\]|\([\p{L} ]{1,50}\))$/u, '')
  const [numbered, sign, hour, minute = '00'] = / ?\(?(?:UTC|GMT) ?([+-])(\d{1,2}):?(\d{2})?\)?$/.exec(bare) ?? []
  if (numbered !== undefined)
    return `${bare.slice(0, -numbered.length)} ${sign}${String(hour).padStart(2, '0')}:${minute}`
  const [named, name = ''] = /(?<=\d|[AP]M) ?\(?([A-Z]{2,4})\)?$/i.exec(bare) ?? []
  const offset = named === undefined ? undefined : offsetOfZone(name)
  return named === undefined || offset === undefined ? bare : `${bare.slice(0, -named.length)} ${offset}`
}

const dayMs = 86_400_000

/** Returns the date of a day of a week of ISO 8601, undefined if the year has no such week. @param day 1 for Monday */
function dateOfWeek(year: number, week: number, day = 1): string | undefined {
  // 4 January is always in the first week.
  const monday = mondayOf(Date.UTC(year, 0, 4)) + (week - 1) * 7 * dayMs
  if (week < 1 || day < 1 || day > 7 || monday >= mondayOf(Date.UTC(year + 1, 0, 4))) return undefined
  const date = new Date(monday + (day - 1) * dayMs)
  return dateText(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate())
}

const mondayOf = (time: number): number => time - ((new Date(time).getUTCDay() + 6) % 7) * dayMs
