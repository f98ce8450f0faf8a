import { type OpeningHours, type Weekday, weekdays } from '@wp/contracts'

/**
 * Reads the opening hours of a week as one text, in English or German: groups of weekdays with the hours of each, as in
 * `Mo-Fr 08:00-18:00`, `Mon–Thu 8–18, Fri 8–16`, `Montag bis Freitag: 8 bis 18 Uhr; Sa geschlossen` or `24/7`. Hours
 * without weekdays are those of every day, as in the `opening_hours` of OpenStreetMap.
 *
 * @returns null for an empty cell. `OpeningHours` can hold neither two openings on a day, which are unreadable, nor
 * hours that end after midnight
 */
export function readOpeningHours(cell: unknown): OpeningHours | null | 'unreadable' | 'past_midnight' {
  if (cell === null || cell === undefined) return null
  if (typeof cell !== 'string' || cell.length > maxLength) return 'unreadable'
  const text = normalize(cell)
  if (text === '') return null
  if (text === '24/7') return Object.fromEntries(weekdays.map((day) => [day, { from: '00:00', to: '24:00' }]))
  const hours: OpeningHours = {}
  const stated = new Set<Weekday>()
  let rest = text
  for (let groups = 0; rest !== ''; groups++) {
    const group = groupPattern.exec(rest)
    if (group === null) return 'unreadable'
    const { days, from, to } = group.groups ?? {}
    const named = days === undefined ? weekdays : readDays(days)
    // Hours without weekdays stand alone.
    if (named === undefined || (days === undefined && (groups > 0 || group[0].length < rest.length)))
      return 'unreadable'
    const opening = from === undefined || to === undefined ? null : readOpening(from, to)
    if (opening === 'past_midnight') return opening
    if (opening === undefined || (opening !== null && named.some((day) => stated.has(day)))) return 'unreadable'
    for (const day of named) {
      stated.add(day)
      // A day off takes back the hours of its group, as in `Mo-Fr 08:00-18:00; We off`.
      if (opening === null) delete hours[day]
      else hours[day] = opening
    }
    rest = rest.slice(group[0].length)
  }
  return hours
}

const maxLength = 200

const dayNames: Readonly<Record<Weekday, readonly string[]>> = {
  mon: ['mo', 'mon', 'monday', 'montag'],
  tue: ['tu', 'tue', 'tues', 'tuesday', 'di', 'dienstag'],
  wed: ['we', 'wed', 'wednesday', 'mi', 'mittwoch'],
  thu: ['th', 'thu', 'thur', 'thurs', 'thursday', 'do', 'donnerstag'],
  fri: ['fr', 'fri', 'friday', 'freitag'],
  sat: ['sa', 'sat', 'saturday', 'samstag', 'sonnabend'],
  sun: ['su', 'sun', 'sunday', 'so', 'sonntag'],
}
const dayOfName = new Map(
  Object.entries(dayNames).flatMap(([day, names]) => names.map((name) => [name, day as Weekday])), // a key of `dayNames`
)

/**
 * Brings the separators of a text to one form: `-` between ends, `,` between the items of a list, `;` or nothing
 * between groups.
 */
const normalize = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[‐-―−]/g, '-')
    .replaceAll(/\b(?:bis|to|until|till)\b/g, '-')
    .replaceAll(/\b(?:und|and)\b|&|\+/g, ',')
    .replaceAll(/\b(?:uhr|von|from)\b/g, ' ')
    .replaceAll(/\b(?:daily|every day|täglich)(?!\p{L})/gu, 'mo-su')
    .replaceAll(/([a-z])\./g, '$1')
    .replaceAll(/\s*([-,;:])\s*/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim()

const day = '[a-z]+(?:-[a-z]+)?'
const time = '\\d{1,2}(?:[:.]\\d{2})?(?: ?h)?(?: ?[ap]m)?'
/** A group at the beginning of a text, with what separates it from the next one. */
const groupPattern = new RegExp(
  `^(?:(?<days>(?!closed|off|geschlossen|zu\\b)${day}(?:[, ](?!closed|off|geschlossen|zu\\b)${day})*)[: ]?)?` +
    `(?:(?<from>${time})-(?<to>${time})|closed|off|geschlossen|zu)(?:[;,] ?| (?=[a-z])|$)`,
)

/** Returns the weekdays of a list such as `mo-we,fr`; a range may go past Sunday. */
function readDays(list: string): Weekday[] | undefined {
  const days: Weekday[] = []
  for (const item of list.split(/[, ]/)) {
    const [first, last = first] = item.split('-').map((name) => dayOfName.get(name))
    if (first === undefined || last === undefined) return undefined
    const start = weekdays.indexOf(first)
    const length = ((weekdays.indexOf(last) - start + 7) % 7) + 1
    for (let at = start; at < start + length; at++) days.push(weekdays[at % 7] ?? first)
  }
  return days
}

/**
 * Midnight is the end of the day on which a space opens, unless it opens at midnight too: a closed day is written so.
 */
function readOpening(from: string, to: string): { from: string; to: string } | 'past_midnight' | undefined {
  const [opens, stated] = [readTime(from), readTime(to)]
  const closes = stated === '00:00' && opens !== stated ? '24:00' : stated
  if (opens === undefined || closes === undefined || opens === closes) return undefined
  return opens > closes ? 'past_midnight' : { from: opens, to: closes }
}

/** Reads a time such as `8`, `08.30`, `8h` or `6 pm`, as `HH:MM`. */
function readTime(text: string): string | undefined {
  const [, hourText = '', minute = '00', half] = /^(\d{1,2})(?:[:.](\d{2}))?(?: ?h)?(?: ?([ap]m))?$/.exec(text) ?? []
  if (half !== undefined && (Number(hourText) < 1 || Number(hourText) > 12)) return undefined
  const hour = half === undefined ? Number(hourText) : (Number(hourText) % 12) + (half === 'pm' ? 12 : 0)
  const time = `${String(hour).padStart(2, '0')}:${minute}`
  return /^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/.test(time) ? time : undefined
}
