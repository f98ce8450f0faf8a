import * as words from './column-roles.ts'
import { type DescribedColumn, findByName, hasWord } from './column-roles.ts'
import { isAccess, isDirection } from './directions.ts'
import { isMark, placeOfWork } from './places-of-work.ts'

/** The kinds of data about a workplace, most specific first. */
const kinds = ['people', 'bookings', 'spaces', 'badge_events', 'attendance_days', 'counts'] as const
export type RecognizedKind = (typeof kinds)[number]

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
  if (kind === 'bookings' && mapping.end !== undefined) delete mapping.duration
  // Where people are at all, if no other column tells.
  if (kind === 'attendance_days' && mapping.space === undefined && mapping.status !== undefined) {
    const { status: space, ...others } = mapping
    return { ...others, space }
  }
  return kind === 'counts' ? oneMeasure(mapping) : mapping
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
  if (kind === 'people')
    return (
      isListedOnce(mapping.person, table) &&
      !columns.some((column) => (isMoment(column) && !isBookkeeping(column)) || isOfAbsences(column))
    )
  if (kind === 'spaces')
    return (
      isListedOnce(mapping.external_id, table) && !columns.some((column) => isMoment(column) && !isBookkeeping(column))
    )
  if (kind === 'bookings') return !isTimeTracking(table)
  return (kind !== 'badge_events' && kind !== 'attendance_days') || showsPresence(table)
}

/** Returns true for the working times of employees at a site, which are no bookings of it. */
function isTimeTracking({ columns, mapping }: Table): boolean {
  const called = (name: string | undefined) => columns.filter((column) => column.name === name)
  if (mapping.attendees !== undefined || mapping.checked_in !== undefined || mapping.cancelled !== undefined)
    return false
  return (
    findByName(called(mapping.person), words.personWords.slice(0, 2)) !== undefined &&
    findByName(called(mapping.space), words.spaceWords.slice(0, 4)) === undefined
  )
}

/** Returns true if rows may show that people were there, which those of a directory or of bookings do not. */
function showsPresence({ columns, mapping, rows }: Table): boolean {
  const called = (name: string | undefined) => columns.find((column) => column.name === name)
  const [person, time] = [called(mapping.person), called(mapping.time ?? mapping.date)]
  if (columns.some((column) => column.type === 'number' && isNamed(column, countNames))) return false
  // Marks of work at home say the opposite of a status, so a person has to leave such days out.
  if (mapping.status === undefined && columns.some((column) => isNamed(column, words.homeWords) && isAllMarks(column)))
    return false
  if (time !== undefined && isNamed(time, [words.bookkeepingWords, words.employmentWords])) return false
  // Those who book are not always those who come.
  const isBooker = person !== undefined && findByName([person], words.personWords.slice(0, 2)) === undefined
  if (isBooker && isNamed(person, words.personWords.slice(2, 3))) return false
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

/** The least share of rows with a value of their own in a list of people, who may have changed teams, or of spaces. */
const listedOnce = 0.5

const isNamed = ({ name }: DescribedColumn, patterns: readonly RegExp[]): boolean =>
  patterns.some((pattern) => hasWord(name, pattern))
const countNames = [...words.levelWords, ...words.inWords, ...words.outWords]

const isBookkeeping = (column: DescribedColumn): boolean =>
  isNamed(column, [words.bookkeepingWords, words.employmentWords])
const isMoment = ({ type, isDateOnly }: DescribedColumn): boolean => type === 'timestamp' && isDateOnly !== true
const isDate = ({ type, isDateOnly }: DescribedColumn): boolean => type === 'timestamp' && isDateOnly !== false
const isTime = ({ type }: DescribedColumn): boolean => type === 'timestamp'
/** Times of day say when only beside a column of days. */
const isClock = ({ name, type, examples = [] }: DescribedColumn): boolean => {
  if (examples.length === 0) return false
  if (type === 'number')
    return hasWord(name, words.hourWords) && examples.every((text) => /^\d{1,2}$/.test(text) && Number(text) <= 24)
  return type === 'string' && examples.every((text) => words.clockValue.test(text.trim()))
}
const isNumber = ({ type }: DescribedColumn): boolean => type === 'number'
/** Numbers of badges or rooms may have been read as numbers. */
const isName = ({ type }: DescribedColumn): boolean => type !== 'timestamp' && type !== 'boolean'
const isText = ({ type }: DescribedColumn): boolean => type === 'string' || type === 'text'

/** Returns true if a column is named after a person, place or team, so that its numbers are names. */
export const isNameOfRole = (name: string): boolean =>
  [...words.personWords, ...words.spaceWords, ...words.teamWords].some((pattern) => hasWord(name, pattern))

/** @param time the column of the time or the start, if it is found already */
type Finder = (columns: readonly DescribedColumn[], time?: DescribedColumn) => DescribedColumn | undefined

const identification = /^(?:id|nr|no|num|number|nummer|uid|email|upn)$/

const person: Finder = (columns) =>
  findByName(
    columns
      .filter((column) => !isNamed(column, [words.spaceWords[0] ?? /$^/]) && !isNameOfThing(column))
      // Beside an identification a name tells less: two people may have the same.
      .toSorted((a, b) => Number(isNamed(b, [identification])) - Number(isNamed(a, [identification]))),
    words.personWords,
    (column) => isName(column) && !(isNumber(column) && isNamed(column, [...words.levelWords, ...words.attendeeWords])),
  )

/** Returns true for the name of a place or device, such as `Room name`. */
const isNameOfThing = (column: DescribedColumn): boolean =>
  isNamed(column, words.personWords.slice(-1)) &&
  !isNamed(column, words.personWords.slice(0, -1)) &&
  isNamed(column, [...words.spaceWords, words.thingWords])

/** A column with one value for all rows tells less than one around it with several. */
const space: Finder = (columns) => {
  const usable = columns.filter(
    (column) => isName(column) && !(isNumber(column) && isNamed(column, countNames)) && !isMarks(column),
  )
  return (
    findByName(usable, words.spaceWords, ({ distinct }) => distinct === undefined || distinct > 1) ??
    findByName(usable, words.spaceWords)
  )
}

const team: Finder = (columns) => findByName(columns, words.teamWords, isName)

const moment =
  (isUsable: (column: DescribedColumn) => boolean): Finder =>
  (columns) => {
    const usable = columns.filter(isUsable)
    const ofEvent = usable.filter(({ name }) => !hasWord(name, words.bookkeepingWords))
    return findByName(ofEvent, words.timeWords) ?? ofEvent[0] ?? usable[0]
  }

/** A time with its day, or else a time of day where a column of days is beside it. */
const momentOrClock =
  (findTime: (isUsable: (column: DescribedColumn) => boolean) => Finder): Finder =>
  (columns) =>
    findTime(isMoment)(columns) ?? (columns.some(isDay) ? findTime(isClock)(columns) : undefined)

/** The day of times of day. */
const dayOfTime: Finder = (columns, time) => (time !== undefined && isClock(time) ? moment(isDay)(columns) : undefined)

const isDay = ({ type, isDateOnly, examples = [] }: DescribedColumn): boolean =>
  type === 'timestamp' && (isDateOnly ?? (examples.length > 0 && !examples.some((text) => text.includes(':'))))

const duration: Finder = (columns) =>
  findByName(columns, words.durationWords, ({ name, type, examples = [] }) =>
    type === 'number' ? hasWord(name, words.durationUnits) : examples.some((value) => words.durationValue.test(value)),
  )

/** Returns true for a column with a mark, such as `x` or 1, for each day at the office. */
const isMarks = (column: DescribedColumn): boolean =>
  isNamed(column, words.presenceWords) && !isNamed(column, words.homeWords) && isAllMarks(column)

function isAllMarks({ examples = [] }: DescribedColumn): boolean {
  const marks = examples.filter((value) => value.trim() !== '' && value !== 'null')
  return marks.length > 0 && marks.every(isMark)
}

/** Returns true for kinds of absences, such as vacation, whose list is none of people. */
const isOfAbsences = ({ type, examples = [] }: DescribedColumn): boolean =>
  type === 'string' && examples.length > 0 && examples.every((value) => !isMark(value) && placeOfWork(value) === 'away')

/** A column that says who was at the office, and who worked at home or was away. */
const status: Finder = (columns) =>
  columns.find(({ type, examples = [] }) => {
    const found = examples.filter((value) => type === 'string' && !isMark(value)).map(placeOfWork)
    return found.includes('office') && (found.includes('home') || found.includes('away'))
  }) ?? columns.find(isMarks)

const named =
  (patterns: readonly RegExp[], isUsable: (column: DescribedColumn) => boolean): Finder =>
  (columns) =>
    findByName(columns, patterns, isUsable)

/** A column of other words, such as of doors that stayed closed, would leave its rows out. */
const direction: Finder = (columns) =>
  findByName(columns, words.directionWords, (column) => hasValue(column, isDirection)) ??
  // Rows of those who were not let in are left out by it.
  columns.find(
    (column) =>
      hasValue(column, (value) => isAccess(value, 'granted')) && hasValue(column, (value) => isAccess(value, 'denied')),
  )

const hasValue = ({ type, examples = [] }: DescribedColumn, isOne: (value: string) => boolean): boolean =>
  type === 'string' && examples.some(isOne)

const spaceKind: Finder = (columns) =>
  findByName(columns, words.spaceKindWords, isText) ??
  columns.find(
    ({ examples = [] }) => examples.length > 0 && examples.every((value) => words.spaceKindValue.test(value.trim())),
  )

/** The roles of each kind in the order in which they are given columns. */
const finders: Record<RecognizedKind, Record<string, Finder>> = {
  people: {
    person,
    team,
    from: named(words.startWords, isDate),
    until: named(words.endWords, isDate),
  },
  badge_events: { time: momentOrClock(moment), date: dayOfTime, direction, person, space, team },
  attendance_days: { date: moment(isTime), status, person, space, team },
  bookings: {
    start: momentOrClock((isUsable) => named(words.startWords, isUsable)),
    end: (columns, start) =>
      findByName(columns, words.endWords, start !== undefined && isClock(start) ? isClock : isMoment),
    duration: (columns) => duration(columns),
    date: dayOfTime,
    // Calendars have the id of each event too.
    person: (columns) => findByName(columns, words.personWords.slice(2, 3), isName) ?? person(columns),
    end_date: (columns, start) =>
      start !== undefined && isClock(start) ? findByName(columns, words.endWords, isDay) : undefined,
    attendees: named(words.attendeeWords, isNumber),
    space,
    checked_in: named(words.checkedInWords, (column) => !isNumber(column)),
    cancelled: named(words.cancelledWords, (column) => !isNumber(column)),
  },
  counts: {
    time: momentOrClock(moment),
    date: dayOfTime,
    space,
    // Two directions are counted by two columns; one of them alone tells of arrivals only.
    ...{ in: named(words.inWords, isNumber), out: named(words.outWords, isNumber) },
    value: named(words.levelWords, isNumber),
  },
  spaces: {
    kind: spaceKind,
    parent_id: named(words.parentWords, isName),
    name: (columns) =>
      findByName(columns, words.spaceNameWords, isName) ?? findByName(columns, words.spaceWords, isName),
    external_id: named(words.spaceIdWords, isName),
    capacity: named(words.capacityWords, isNumber),
    area_m2: named(words.areaWords, (column) => isNumber(column) && !isNamed(column, [words.otherAreaUnits])),
    annual_cost: named(words.costWords, isNumber),
    currency: named([/^(?:currency|wahrung|devise)$/], isText),
    country: named([/^(?:country|land|pays)$/], isText),
    subdivision: named([/^(?:subdivision|bundesland|region|state)$/], isText),
    timezone: named([/^(?:timezone|zeitzone)$/], isText),
    opening_hours: named([/^(?:opening|offnungszeiten|offnungszeit|horaires)$/], isText),
  },
}
