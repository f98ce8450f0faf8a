import * as words from './column-roles.ts'
import { type DescribedColumn, findByName } from './column-roles.ts'
import {
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
import { kinds, type RecognizedKind } from './find-roles.ts'
import { mapRoles } from './map-roles.ts'
import { countLevels, listsSpaces } from './space-levels.ts'
import * as facts from './space-words.ts'
import { bookkeepingWords, employmentWords } from './time-words.ts'

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
  return isDescribed || examples === undefined || examples.length === 0 || examples.some(facts.isSpaceKind)
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
  if (time !== undefined && isNamed(time, [bookkeepingWords, employmentWords])) return false
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
