import type { Client } from '@wp/client/browser'
import { formatCount, formatNumber, formatPercent } from '../../ui/format/format.ts'
import { isolate } from '../../ui/format/untrusted-text.ts'

export type Space = Awaited<ReturnType<Client['solutions']['getSpace']>>
export type UtilizationPage = Awaited<ReturnType<Client['solutions']['getUtilization']>>
export type UtilizationRow = UtilizationPage['items'][number]
export type SpaceKind = Space['kind']
export type Weekday = NonNullable<UtilizationRow['weekday']>

/** The kinds of spaces, the outermost first. Repeated here because routes may not load the contracts. */
export const kinds = ['site', 'building', 'floor', 'zone', 'room'] as const satisfies readonly SpaceKind[]

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const satisfies readonly Weekday[]

export const dayNames: Readonly<Record<Weekday, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
}

export const weekdayName = (weekday: Weekday): string => dayNames[weekday]

export const kindName = (kind: SpaceKind): string => kind.charAt(0).toUpperCase() + kind.slice(1)

/** Formats a number of people: whole from 1 on, with one decimal below. A dash stands for none. */
export const formatPeople = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : formatNumber(value, value >= 1 ? 0 : 1)

/** Formats an hour of the day: `09:00`. */
export const formatHour = (hour: number): string => `${String(hour).padStart(2, '0')}:00`

const groundFloor = /^(?:eg|erdgeschoss|gf|ground floor|rdc|rez-de-chaussée)$/i
const belowGround = /^(?:(\d+)\. ?)?(?:ug|untergeschoss|kg|keller|basement|sous-sol)(?: ?(\d+))?$/i

/** Returns 0 for a ground floor, less for one below it, and 1 for all other names. */
function levelOf(name: string): number {
  if (groundFloor.test(name)) return 0
  const below = belowGround.exec(name)
  return below === null ? 1 : -Number(below[1] ?? below[2] ?? 1)
}

/** Orders names as people read them: the ground floor before floor 1, Floor 2 before Floor 10. */
export const byName = <Named extends { name: string }>(a: Named, b: Named): number =>
  levelOf(a.name) - levelOf(b.name) || a.name.localeCompare(b.name, undefined, { numeric: true, sensitivity: 'base' })

/** Returns the row with the highest figure; undefined if none has one. */
export function highest(rows: readonly UtilizationRow[], figure: 'average' | 'attendance' | 'peak' | 'share') {
  let best: UtilizationRow | undefined
  for (const row of rows) if ((row[figure] ?? -1) > (best?.[figure] ?? -1)) best = row
  return best
}

/**
 * Returns rows whose average and peak are to be drawn beside the places: people there at once or, where no row has
 * times of day, people a day, with the names of these columns.
 */
export function levelsOf(rows: readonly UtilizationRow[]) {
  const hasTimes = rows.some(({ average }) => average !== null)
  if (hasTimes || !rows.some(({ attendance }) => attendance)) return { levels: rows }
  const levels = rows.map((row) => ({ ...row, average: row.attendance, peak: null }))
  return { levels, labels: { average: 'People a day', capacity: 'Places' } }
}

/**
 * Describes when a space is fullest and emptiest: `Tuesdays are fullest: about 126 of 200 places at 10:00. On Fridays
 * there were never more than 95 people.`
 *
 * @param hours rows by weekday and hour; empty where figures have no times
 * @param days rows by weekday
 * @param clock formats a time of the day for the reader
 */
export function describeUse(
  hours: readonly UtilizationRow[],
  days: readonly UtilizationRow[],
  clock: (time: string) => string,
): string {
  const fullest = highest(hours, 'average')
  if (fullest?.weekday !== undefined && fullest.hour !== undefined && fullest.average) {
    const places = fullest.capacity === null ? 'people' : `of ${formatCount(fullest.capacity, 'place')}`
    const text = `${weekdayName(fullest.weekday)}s are fullest: about ${formatPeople(fullest.average)} ${places} at ${clock(formatHour(fullest.hour))}.`
    const quiet = quietest(hours, days, fullest.weekday)
    if (quiet?.weekday === undefined) return text
    const most = `${formatPeople(quiet.peak)} people`
    const limit = quiet.suppressed
      ? `at most ${most} on the days and hours that may be shown`
      : `never more than ${most}`
    return `${text} On ${weekdayName(quiet.weekday)}s there were ${limit}.`
  }
  const busiest = highest(days, 'attendance')
  if (busiest?.weekday !== undefined && busiest.attendance)
    return `${weekdayName(busiest.weekday)}s are busiest: about ${formatPeople(busiest.attendance)} people a day.`
  if ([...hours, ...days].some(({ suppressed }) => suppressed))
    return 'Too few people to show: the figures are withheld so that they tell of no person.'
  return days.length === 0
    ? 'Nothing has been measured here in this period.'
    : 'There was nearly no one in this period.'
}

/** Returns the weekday with open hours and the lowest peak, beside the fullest one. */
function quietest(hours: readonly UtilizationRow[], days: readonly UtilizationRow[], fullest: Weekday) {
  const open = new Set(hours.flatMap(({ open, weekday }) => (open ? weekday : [])))
  return days
    .filter(({ weekday, peak }) => weekday !== undefined && weekday !== fullest && open.has(weekday) && peak !== null)
    .toSorted((a, b) => (a.peak ?? 0) - (b.peak ?? 0))[0]
}

/** Describes what stands out among spaces by their share over all days: the fullest and the emptiest. */
export function describeSpaces(spaces: readonly Space[], rows: readonly UtilizationRow[]): string | undefined {
  const names = new Map(spaces.map((space) => [space.id, nameInPlace(space)]))
  const measured = rows
    .filter(({ share, space_id: id }) => share !== null && id !== undefined && names.has(id))
    .toSorted((a, b) => (b.share ?? 0) - (a.share ?? 0))
  const [first, last] = [measured[0], measured.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const text = ({ share, space_id: id }: UtilizationRow) =>
    [names.get(id ?? '') ?? '', formatPercent(share ?? 0)] as const
  const [fullName, full] = text(first)
  if (first === last) return `${fullName} is ${full} full on average.`
  const [emptyName, empty] = text(last)
  return `${fullName} is the fullest with ${full} on average, ${emptyName} the emptiest with ${empty}.`
}

/**
 * Describes a list of spaces: what stands out among its buildings, or else its floors, or else all of it.
 * @param isPart true if there are spaces that the list does not show
 */
export function describeList(spaces: readonly Space[], rows: readonly UtilizationRow[], isPart: boolean): string {
  const buildings = spaces.filter(({ kind }) => kind === 'building')
  const floors = spaces.filter(({ kind }) => kind === 'floor')
  const text =
    (buildings.length > 1 ? describeSpaces(buildings, rows) : undefined) ??
    describeSpaces(floors, rows) ??
    describeSpaces(spaces, rows)
  if (text === undefined && rows.some(({ attendance }) => attendance))
    return rows.some(({ average }) => average !== null)
      ? 'How full a place is on average takes its number of places, which is not known here.'
      : 'People are counted by the day: how full a place is on average takes a file with times of day.'
  if (text === undefined) return isPart ? 'Nothing on this page has been measured.' : 'Nothing has been measured yet.'
  const withoutHours = rows.some(({ suppressed }) => suppressed) ? ', without hours that are withheld' : ''
  const period = `Of ${isPart ? 'this page and ' : ''}the last four weeks with data, Monday to Friday${withoutHours}.`
  const outer = spaces
    .filter((space) => isOutside(space, spaces, rows))
    .toSorted((a, b) => a.path.length - b.path.length)
    .map(nameInPlace)
  if (outer.length === 0) return `${text} ${period}`
  const more = outer.length > 2 ? ` and ${outer.length - 2} more` : ''
  const names = `${outer.slice(0, 2).join(more === '' ? ' and ' : ', ')}${more}`
  return `${text} ${period} ${names} ${outer.length > 1 ? 'are not between the places in them' : 'is not between the places in it'}: each average is of the place’s own opening hours${withoutHours}.`
}

/** Returns true if the share of a space is below or above those of all spaces in it. */
function isOutside({ id }: Space, spaces: readonly Space[], rows: readonly UtilizationRow[]): boolean {
  // As written, in whole percent.
  const shareOf = (of: string) =>
    rows.flatMap((row) => (row.space_id === of ? (row.share ?? []) : [])).map((share) => Math.round(100 * share))
  const [own] = shareOf(id)
  const inside = spaces.flatMap((space) => (space.parent_id === id ? shareOf(space.id) : []))
  return own !== undefined && inside.length > 0 && (own < Math.min(...inside) || own > Math.max(...inside))
}

/** Names a space with those around it up to its building, where its own name does not tell: `Berlin A / Floor 2`. */
export function nameInPlace({ name, kind, path }: Pick<Space, 'name' | 'kind' | 'path'>): string {
  const around = kind === 'site' || kind === 'building' ? [] : path
  const building = around.findLastIndex((space) => space.kind === 'building')
  return [...around.slice(building === -1 ? -1 : building), { name }].map((space) => isolate(space.name)).join(' / ')
}

export const stillCounting = 'Some weeks are still being counted. The figures will change in the next minutes.'

/** Returns true while weeks are counted: all figures are of a part of the rows. */
export const isCounting = (page: { meta?: { pending_weeks?: number } } | undefined): boolean =>
  (page?.meta?.pending_weeks ?? 0) > 0

/** Describes what the figures leave out, in words. */
export function describeGaps({ items, meta }: Pick<UtilizationPage, 'items' | 'meta'>): string[] {
  const coverage = Math.min(...items.map((row) => row.coverage ?? 1), 1)
  if (coverage === 1) return meta.warnings
  const missing = `About ${formatPercent(1 - coverage)} of the readers or counters had no data on some days`
  return [`${missing}: figures may be too low.`, ...meta.warnings]
}

/** Describes which bookings the sums of some weekdays leave out; empty if none. */
export function describeLeftOut(rows: readonly { months: number; months_shown: number }[]): string {
  const sumOf = (name: 'months' | 'months_shown') => rows.reduce((sum, row) => sum + row[name], 0)
  const [all, shown] = [sumOf('months'), sumOf('months_shown')]
  if (shown === all) return ''
  return `There were more bookings than these: a weekday of a month, such as its Mondays, is left out if it has too few to show, or if others could be computed from it. The figures are of ${formatNumber(shown)} of ${formatCount(all, 'such sum')}.`
}

const rowsOfPage = 50

/**
 * Returns a page of a whole list in the order of names, which the API does not have.
 * @param cursor number of items before the page
 */
export function pageByName<Item extends { name: string }>(items: readonly Item[], cursor: string | undefined) {
  const first = Number(cursor ?? 0) || 0
  const next = first + rowsOfPage
  return {
    items: items.toSorted(byName).slice(first, next),
    nextCursor: next < items.length ? `${next}` : null,
    total: items.length,
  }
}
