import { ApiError, type Client } from '@wp/client/browser'
import { isOtherCostName } from '@wp/tabular'
import { TaskError } from '../../api/describe-error.ts'
import { formatCount, formatNumber } from '../../ui/format/format.ts'
import { isolate } from '../../ui/format/untrusted-text.ts'

type Solutions = Client['solutions']
export type Dataset = Awaited<ReturnType<Solutions['getDataset']>>
export type DatasetKind = Dataset['kind']
export type DatasetValue = Awaited<ReturnType<Solutions['listDatasetValues']>>['items'][number]
export type Mapping = Readonly<Record<string, string>>

interface KindWords {
  label: string
  /** One row of the file, after the label and a colon. */
  row: string
}

/** The kinds of files that the use of buildings is counted from, in words. */
export const kindWords: Readonly<Record<DatasetKind, KindWords>> = {
  badge_events: { label: 'Badge events', row: 'one row a swipe' },
  attendance_days: { label: 'Days of attendance', row: 'one row a person and day' },
  bookings: { label: 'Bookings', row: 'one row a booking' },
  counts: { label: 'People counts', row: 'one row a place and time' },
  people: { label: 'People and their teams', row: 'one row a person' },
  spaces: { label: 'List of buildings, floors and rooms', row: 'one row a place' },
}

interface RoleWords {
  label: string
  isRequired: boolean
  /** The effect of its absence. */
  without?: string
}

const need = (label: string): RoleWords => ({ label, isRequired: true })
const may = (label: string): RoleWords => ({ label, isRequired: false })

/** The meanings of the columns of each kind of file, those that are needed first. */
export const roleWords: Readonly<Record<DatasetKind, Readonly<Record<string, RoleWords>>>> = {
  badge_events: {
    person: need('Person'),
    time: need('Time'),
    space: need('Where'),
    building: may('Building, if floors have the same names'),
    date: may('Day, if it is not in the time'),
    team: may('Team'),
    direction: may('In or out'),
  },
  attendance_days: {
    person: need('Person'),
    date: need('Day'),
    space: need('Where'),
    building: may('Building, if floors have the same names'),
    status: may('Office or home'),
    team: may('Team'),
  },
  bookings: {
    space: need('Where'),
    building: may('Building, if floors have the same names'),
    start: need('From'),
    end: may('Until'),
    duration: may('Or how long (minutes)'),
    date: may('Day, if it is not in the times'),
    end_date: may('Day of the end'),
    person: may('Booked by'),
    attendees: may('Expected people'),
    checked_in: may('Was used'),
    no_show: may('Was not used'),
    cancelled: may('Was cancelled'),
  },
  counts: {
    space: need('Where'),
    building: may('Building, if floors have the same names'),
    time: need('Time'),
    date: may('Day, if it is not in the time'),
    value: may('People present'),
    in: may('People who came in'),
    out: may('People who left'),
  },
  people: {
    person: need('Person'),
    team: need('Team'),
    from: may('Member from'),
    until: may('Member until'),
    active: may('Is active'),
  },
  spaces: {
    site: may('Site'),
    building: may('Building'),
    floor: may('Floor'),
    zone: may('Zone'),
    room: may('Room'),
    name: may('Name'),
    external_id: may('Short name or number'),
    kind: may('Site, building, floor or room'),
    parent_id: may('Lies in'),
    capacity: may('Places'),
    area_m2: may('Area (m²)'),
    annual_cost: may('Cost a year'),
    currency: may('Currency'),
    avoidable_share: { ...may('Share saved when closed'), without: 'No saving is computed without it' },
    country: may('Country'),
    subdivision: may('State'),
    timezone: may('Time zone'),
    opening_hours: may('Opening hours'),
    active: may('Is active'),
  },
}

/** The columns of a list that has one for each level, in place of a kind and of what a row lies in. */
const spaceLevels = ['site', 'building', 'floor', 'zone', 'room']

/** Describes a mapping: `Badge events: one row a swipe. Person = “Ausweis”, time = “Zeitpunkt”.` */
export function describeMapping(kind: DatasetKind, mapping: Mapping): string {
  const { label, row } = kindWords[kind]
  const parts = Object.entries(roleWords[kind]).flatMap(([role, words]) => {
    const column = mapping[role]
    return column === undefined ? [] : [`${words.label.toLowerCase()} = “${isolate(column)}”`]
  })
  const list = parts.join(', ')
  return `${label}: ${row}. ${list.charAt(0).toUpperCase()}${list.slice(1)}${list === '' ? '' : '.'}`
}

/** Returns what is wrong with the columns of a file, by the names that the page has for them; undefined otherwise. */
export function refusedMapping(error: unknown, kind: DatasetKind): TaskError | undefined {
  if (!(error instanceof ApiError)) return undefined
  const [first, ...others] = error.errors.map(({ pointer, detail }) => {
    const role = /^\/mapping\/([^/]+)$/.exec(pointer)?.[1]
    return role === undefined ? undefined : `“${roleWords[kind][role]?.label ?? role}” ${detail}.`
  })
  if (first === undefined || others.includes(undefined)) return undefined
  return new TaskError('A column does not fit', `${[first, ...others].join(' ')} Choose another column, or none.`)
}

/** Returns the labels of the roles that the kind needs and that have no column yet. */
export function missingRoles(kind: DatasetKind, mapping: Mapping): string[] {
  const missing = Object.entries(roleWords[kind]).flatMap(([role, { label, isRequired }]) =>
    isRequired && mapping[role] === undefined ? [label.toLowerCase()] : [],
  )
  if (kind === 'bookings' && mapping.end === undefined && mapping.duration === undefined)
    missing.push('until, or how long')
  if (kind === 'spaces' && !spaceLevels.some((role) => mapping[role] !== undefined))
    for (const role of ['name', 'external_id', 'kind'] as const)
      if (mapping[role] === undefined) missing.push(roleWords.spaces[role]?.label.toLowerCase() ?? role)
  if (kind === 'spaces' && isOtherCostName(mapping.annual_cost ?? ''))
    missing.push(
      `the cost of a year of a whole place, which “${isolate(mapping.annual_cost ?? '')}” is not: choose “Not in the file”, or add a column of it`,
    )
  const isCounted = mapping.value !== undefined || (mapping.in !== undefined && mapping.out !== undefined)
  return kind === 'counts' && !isCounted ? [...missing, 'people present, or people who came in and left'] : missing
}

/** Describes rows of a list of spaces that will be left out, as a level around theirs is empty; undefined for none. */
export function describeIncomplete(rows: readonly Readonly<Record<string, unknown>>[], mapping: Mapping) {
  // The level of zones may be empty anywhere.
  const levels = spaceLevels.filter((level) => mapping[level] !== undefined && level !== 'zone')
  const missing = rows.flatMap((row) => {
    const isNamed = levels.map((level) => (row[mapping[level] ?? ''] ?? '') !== '')
    const gap = isNamed.indexOf(false)
    return gap >= 0 && isNamed.includes(true, gap) ? [levels[gap] ?? ''] : []
  })
  if (missing.length === 0) return undefined
  const names = [...new Set(missing)].join(' or ')
  return `${formatCount(missing.length, 'row')} of the first ${formatNumber(rows.length)} ${missing.length === 1 ? 'names' : 'name'} no ${names} and will be left out. Fill in the name in the file, or add the place by hand later.`
}

const reasons: Readonly<Record<string, string>> = {
  space_unmapped: 'The place is not known yet',
  space_left_out: 'The place was left out on purpose',
  team_unmapped: 'The team is not known yet',
  team_left_out: 'The team was left out on purpose',
  worked_at_home: 'Worked at home or elsewhere',
  absent: 'Was absent',
  status_unknown: 'Neither at the office nor elsewhere',
  person_missing: 'No person is named',
  space_missing: 'No place is named',
  direction_unknown: 'Neither in nor out, such as “denied”',
  site_missing: 'No site is named',
  building_missing: 'No building is named',
  floor_missing: 'No floor is named',
  name_missing: 'No name',
  external_id_repeated: 'Is in the list before',
  kind_unknown: 'Not called site, building, floor, zone or room',
  parent_unknown: 'Lies in a place that the list does not have',
  capacity_for_cars: 'Its places are for cars. Without a number of places it can be a space',
  new_beside_missing:
    'New, beside a known place that the list lacks: both count. If it was renamed, delete the new one and rename the old one',
  without_length:
    'Ends when it begins, so that its hours are 0. Its times may be in columns of their own: change the columns',
  opening_hours_unreadable: 'The hours cannot be read: write from when to when, such as Mo-Do 8-17, Fr 8-13',
  opening_hours_past_midnight: 'Open past midnight: write 00:00–24:00 for days that are open at night',
  parent_unused: 'Lies in a place that could not be used',
}

/** Returns the reason why rows are not used, as a sentence. */
export function describeReason(reason: string): string {
  const known = reasons[reason]
  if (known !== undefined) return known
  const unreadable = /^(.*)_unreadable$/.exec(reason)?.[1]
  if (unreadable !== undefined) return `The ${unreadable.replaceAll('_', ' ')} cannot be read`
  const words = reason.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
