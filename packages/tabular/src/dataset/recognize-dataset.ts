import { bookingStateOf } from './booking-states.ts'
import * as words from './column-roles.ts'
import { type DescribedColumn, findByName } from './column-roles.ts'
import {
  areReadersByDirection,
  countNames,
  isAllMarks,
  isBookkeeping,
  isClock,
  isClockRange,
  isDay,
  isListOfTeams,
  isMoment,
  isNamed,
  isOfAbsences,
} from './column-traits.ts'
import { directionOf } from './directions.ts'
import { finders, kinds, type RecognizedKind } from './find-roles.ts'
import { placeOfStatus } from './places-of-work.ts'
import { countLevels, findBuilding, findLevels, listsSpaces } from './space-levels.ts'

/** The kind of a table, and the column of each role. */
export interface RecognizedDataset {
  kind: RecognizedKind
  mapping: Record<string, string>
}

/**
 * Recognizes what a table of a workplace is about: badge events, days of attendance, people, bookings, counts or a list
 * of spaces, by names of columns in English, German and French and by their values.
 *
 * @param rows number of rows, where it is known: a column with a value of its own for each row identifies rows
 * @returns null if a role that the kind needs has no column, as in a plain series of numbers
 */
export function recognizeDataset(columns: readonly DescribedColumn[], rows?: number): RecognizedDataset | null {
  for (const kind of kinds) {
    const mapping = mapRoles(columns, kind)
    if (isComplete(kind, mapping) && isPlausible(kind, { columns, mapping, rows })) return { kind, mapping }
  }
  return null
}

/** Returns the column of each role of a kind that one can be told for. A column has one role. */
export function mapRoles(columns: readonly DescribedColumn[], kind: RecognizedKind): Record<string, string> {
  const mapping: Record<string, string> = {}
  const used = new Set<string>()
  for (const [role, find] of Object.entries(finders[kind])) {
    const found = find(
      columns.filter(({ name }) => !used.has(name)),
      columns.find(({ name }) => name === mapping.start || name === mapping.time),
    )
    if (found === undefined) continue
    mapping[role] = found.name
    used.add(found.name)
  }
  // A list often has one column that is both.
  if (kind === 'spaces' && mapping.name !== undefined) mapping.external_id ??= mapping.name
  if (kind === 'spaces' && namesLevels(mapping, columns)) return mapLevels(columns)
  const readers = columns.find(({ name }) => kind === 'badge_events' && name === mapping.space)
  if (readers !== undefined && areReadersByDirection(readers)) mapping.direction ??= readers.name
  if (kind === 'bookings') {
    if (mapping.end !== undefined) delete mapping.duration
    const start = columns.find(({ name }) => name === mapping.start)
    if (mapping.duration === undefined && start !== undefined && isClockRange(start)) mapping.end ??= start.name
    Object.assign(mapping, rolesOfStates(columns, mapping))
  }
  // Where people are at all, if no other column tells.
  const isPlace = (column: DescribedColumn) => column.name === mapping.status && namesPlacesOfWork(column)
  if (kind === 'attendance_days' && mapping.space === undefined && columns.some(isPlace)) {
    const { status: space = '', ...others } = mapping
    return { ...others, space }
  }
  const building = kind === 'spaces' || kind === 'people' ? undefined : findBuilding(columns, mapping.space)
  if (building !== undefined && !used.has(building)) mapping.building = building
  return kind === 'counts' ? oneMeasure(mapping) : mapping
}

/** Returns false for states of something else, such as `Approved`, and for those of bookings. */
const namesPlacesOfWork = ({ examples = [] }: DescribedColumn): boolean =>
  examples.length === 0 ||
  examples.some(
    (text) => bookingStateOf(text) === undefined && ['office', 'home'].includes(placeOfStatus(text) ?? 'away'),
  )

/**
 * Returns the roles that a column of states has beside that of cancelled bookings, if no column of its own has them.
 * Where it names no-shows, others were used or are to come; where it names those who checked in, others did not.
 */
function rolesOfStates(columns: readonly DescribedColumn[], mapping: Record<string, string>) {
  const { cancelled, checked_in: checkedIn, no_show: noShow } = mapping
  const { examples = [], name = '' } = columns.find((column) => column.name === cancelled) ?? {}
  const states = new Set(examples.map(bookingStateOf))
  if (checkedIn !== undefined || noShow !== undefined) return {}
  return {
    ...(states.has('missed') ? { no_show: name } : {}),
    ...(states.has('attended') ? { checked_in: name } : {}),
  }
}

/** Returns true unless the rows say what they are and in what they lie, or too few columns are levels. */
function namesLevels(
  { kind, parent_id: parent, ...found }: Record<string, string>,
  columns: readonly DescribedColumn[],
) {
  const levels = findLevels(columns)
  const count = countLevels(levels)
  const { examples = [] } = columns.find(({ name }) => name === kind) ?? {}
  // Names of buildings, such as `Haus Nord`, have words of kinds too.
  const isLevel = Object.values(levels).some((name) => name === kind)
  const hasKinds =
    parent !== undefined || (!isLevel && examples.some((kind) => words.isSpaceKind(kind) && !isRoomKind(kind)))
  // `Floor 1` is a floor, and not the kind of one.
  const isNumbered = isLevel && examples.length > 0 && examples.every((text) => /\d/.test(text))
  return count > 0 && (found.name === undefined || kind === undefined || ((count > 1 || isNumbered) && !hasKinds))
}

/** Rooms of several kinds lie in the levels of their rows. */
const isRoomKind = (kind: string): boolean => /room|raum|zimmer|office|büro|salle/i.test(kind)

/**
 * Returns the columns of a list of spaces that has one for each level, such as building and floor. A number beside them
 * may be that of the row.
 */
function mapLevels(columns: readonly DescribedColumn[]): Record<string, string> {
  const { kind: _kind, name: _name, parent_id: _parent, external_id: _id, ...others } = finders.spaces
  const found = Object.entries(others).flatMap(([role, find]) => {
    const column = find(columns)
    return column === undefined ? [] : [[role, column.name] as const]
  })
  const used = new Set(found.map(([, name]) => name))
  return { ...findLevels(columns.filter(({ name }) => !used.has(name))), ...Object.fromEntries(found) }
}

/** Counts are either people present, or those who came in and went out. One direction alone tells of neither. */
function oneMeasure({ in: entries, out: exits, ...rest }: Record<string, string>): Record<string, string> {
  if (rest.value !== undefined || entries === undefined || exits === undefined) return rest
  return { ...rest, in: entries, out: exits }
}

const required: Record<RecognizedKind, readonly string[]> = {
  people: ['person', 'team'],
  bookings: ['space', 'start'],
  spaces: ['external_id', 'name', 'kind'],
  badge_events: ['person', 'time', 'space'],
  attendance_days: ['person', 'date', 'space'],
  counts: ['space', 'time'],
}

function isComplete(kind: RecognizedKind, mapping: Record<string, string>): boolean {
  if (kind === 'spaces' && countLevels(mapping) > 0) return true
  const hasAll = required[kind].every((role) => mapping[role] !== undefined)
  if (kind === 'bookings' && mapping.end === undefined && mapping.duration === undefined) return false
  return hasAll && (kind !== 'counts' || mapping.value !== undefined || mapping.in !== undefined)
}

interface Table {
  columns: readonly DescribedColumn[]
  mapping: Record<string, string>
  rows: number | undefined
}

/** Returns false for a table that has the roles of a kind by chance. */
function isPlausible(kind: RecognizedKind, table: Table): boolean {
  const { columns, mapping } = table
  if (kind === 'spaces' && countLevels(mapping) > 0)
    return listsSpaces(table) && !columns.some(isMoment) && mapRoles(columns, 'people').person === undefined
  if (kind === 'people' || kind === 'spaces') {
    const hasMoment = columns.some((column) => isMoment(column) && !isBookkeeping(column))
    const isListed = isListedOnce(kind === 'people' ? mapping.person : mapping.external_id, table)
    const isOfTeams = mapping.capacity === undefined && mapping.area_m2 === undefined && isListOfTeams(columns)
    if (!isListed || hasMoment || isOfTeams) return false
    return kind === 'people' ? !listsTeams(table) && !columns.some(isOfAbsences) : describesSpaces(table)
  }
  if (kind === 'bookings') return !isTimeTracking(table) && !isShiftPlan(table) && !columns.some(isPassages)
  if (kind === 'badge_events' && (hasEnd(table) || columns.some(isClockRange))) return false
  if (kind === 'attendance_days' && hasLastDay(table)) return false
  return (kind !== 'badge_events' && kind !== 'attendance_days') || showsPresence(table)
}

/** Returns false for a list of other things, which have names and kinds too. */
function describesSpaces({ columns, mapping }: Table): boolean {
  const { examples } = columns.find(({ name }) => name === mapping.kind) ?? {}
  const isDescribed = [mapping.capacity, mapping.area_m2, mapping.parent_id].some((name) => name !== undefined)
  return isDescribed || examples === undefined || examples.length === 0 || examples.some(words.isSpaceKind)
}

/** Returns true for the working times of employees at a site, which are no bookings of it. */
function isTimeTracking({ columns, mapping }: Table): boolean {
  const called = (name: string | undefined) => columns.filter((column) => column.name === name)
  if (mapping.attendees !== undefined || mapping.checked_in !== undefined || mapping.cancelled !== undefined)
    return false
  return (
    findByName(called(mapping.person), words.badgeHolderWords) !== undefined &&
    findByName(called(mapping.space), words.innerSpaceWords) === undefined
  )
}

/** Returns true for people who went one way through a door or over a line, which are counted in intervals. */
const isPassages = (column: DescribedColumn): boolean =>
  column.type === 'number' && isNamed(column, [...words.inWords, ...words.outWords, /^(?:fw|bw|forward|backward)$/])

const isShiftPlan = ({ columns }: Pick<Table, 'columns'>): boolean =>
  columns.some((column) => isNamed(column, [words.shiftWords]))

/** Returns true if rows have the time of leaving too, of which a swipe has none: people would stay until the end. */
function hasEnd({ columns, mapping }: Table): boolean {
  const isEnd = (column: DescribedColumn) =>
    isNamed(column, [...words.endWords, ...words.outWords, words.leftWords]) || directionOf(column.name) === 'out'
  return columns.some(
    (column) => column.name !== mapping.time && (isMoment(column) || isClock(column)) && isEnd(column),
  )
}

/** Returns true if rows have a first and a last day, of which one alone would count. */
const hasLastDay = ({ columns, mapping }: Table): boolean =>
  columns.some((column) => column.name === mapping.date && isNamed(column, words.startWords)) &&
  columns.some((column) => isDay(column) && isNamed(column, [...words.endWords, ...words.leavingWords]))

/** Returns true if rows may show that people were there, which those of a directory or of bookings do not. */
function showsPresence({ columns, mapping, rows }: Table): boolean {
  const called = (name: string | undefined) => columns.find((column) => column.name === name)
  const [person, time] = [called(mapping.person), called(mapping.time ?? mapping.date)]
  const counts = columns.filter(({ type, name }) => type === 'number' && name !== mapping.status)
  if (counts.some((column) => isNamed(column, countNames))) return false
  // Marks of work at home say the opposite of a status, so a person has to leave such days out.
  if (mapping.status === undefined && columns.some((column) => isNamed(column, words.homeWords) && isAllMarks(column)))
    return false
  if (time !== undefined && isNamed(time, [words.bookkeepingWords, words.employmentWords])) return false
  if (isShiftPlan({ columns })) return false
  // Those who book are not always those who come.
  const isBooker = person !== undefined && findByName([person], words.badgeHolderWords) === undefined
  if (isBooker && isNamed(person, words.bookerWords)) return false
  if (rows === undefined || rows < minRowsOfPresence || person?.distinct === undefined) return true
  return person.distinct > 1 && !(person.distinct >= rows * presentOnce && (time?.distinct ?? 1) > 1)
}

/** Rows by which people who are there repeatedly are told from those who are listed. */
const minRowsOfPresence = 20
/** The least share of rows with a person of their own in a list of people, each with a date such as that of hiring. */
const presentOnce = 0.9

/** Returns true unless most values of a column are known to have several rows. */
function isListedOnce(name: string | undefined, { columns, rows }: Table): boolean {
  const distinct = columns.find((column) => column.name === name)?.distinct
  return rows === undefined || distinct === undefined || distinct >= rows * listedOnce
}

/** Returns true for a list of teams, whose names are no names of people. */
function listsTeams({ columns, mapping, rows }: Table): boolean {
  const called = (name: string | undefined) => columns.filter((column) => column.name === name)
  const [person, team] = [called(mapping.person), called(mapping.team)]
  const isNameOnly = findByName(person, words.identifiedPersonWords) === undefined
  return isNameOnly && rows !== undefined && team.some(({ distinct = 0 }) => distinct > 1 && distinct === rows)
}

/** The least share of rows with a value of their own in a list of people, who may have changed teams, or of spaces. */
const listedOnce = 0.5
