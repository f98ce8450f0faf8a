import { wordsOf } from '../column-names.ts'
import * as words from './column-roles.ts'
import { type DescribedColumn, findByName, hasWord } from './column-roles.ts'
import {
  countNames,
  hasBothDirections,
  hasValue,
  isClock,
  isClockRange,
  isDate,
  isDay,
  isFlag,
  isMarks,
  isMoment,
  isName,
  isNamed,
  isNameOfThing,
  isNumber,
  isSmallNumber,
  isText,
  isTime,
  numberOfPeople,
} from './column-traits.ts'
import * as costs from './cost-words.ts'
import { isAccess, isDirection } from './directions.ts'
import { isActiveState, isMark, placeOfStatus, placeOfWork } from './places-of-work.ts'

/** The kinds of data about a workplace, most specific first. */
export const kinds = ['people', 'bookings', 'spaces', 'badge_events', 'attendance_days', 'counts'] as const
export type RecognizedKind = (typeof kinds)[number]

const identification = /^(?:id|nr|no|num|number|nummer|uid|email|upn)$/

/** Returns true if a column is named after a person, place or team, so that its numbers are names. */
export const isNameOfRole = (name: string): boolean =>
  !hasWord(name, words.measuredWords) &&
  [...words.personWords, ...words.spaceWords, ...words.teamWords].some((pattern) => hasWord(name, pattern))

/** Returns true for `Room` and `Raum-Nr.`, but not for `Price by room`. */
export const isOnlySpaceName = (name: string): boolean => {
  const parts = wordsOf(name)
  const isSpace = (word: string) => words.spaceWords.some((pattern) => pattern.test(word))
  return parts.some(isSpace) && parts.every((word) => isSpace(word) || identification.test(word))
}

/** @param time the column of the time or the start, if it is found already */
type Finder = (columns: readonly DescribedColumn[], time?: DescribedColumn) => DescribedColumn | undefined

const person: Finder = (columns) =>
  findByName(
    columns
      .filter((column) => !isNamed(column, words.readerWords) && !isNameOfThing(column))
      // Beside an identification a name tells less: two people may have the same.
      .toSorted((a, b) => Number(isNamed(b, [identification])) - Number(isNamed(a, [identification]))),
    words.personWords,
    (column) => isName(column) && !(isNumber(column) && (isNamed(column, numberOfPeople) || isSmallNumber(column))),
  )

/** A column with one value for all rows tells less than one around it with several. */
const space: Finder = (columns) => {
  const named = columns.filter(
    (column) =>
      isName(column) &&
      !(isNumber(column) && isNamed(column, countNames)) &&
      !isMarks(column) &&
      !isNamed(column, [words.measuredWords]) &&
      // A question of a form.
      !column.name.trimEnd().endsWith('?'),
  )
  // `Space Type` beside `Space`.
  const exact = named.filter((column) => !isNamed(column, words.spaceKindWords))
  const usable = exact.length > 0 ? exact : named
  return (
    findByName(usable, words.spaceWords, ({ distinct }) => distinct === undefined || distinct > 1) ??
    findByName(usable, words.spaceWords)
  )
}

/** Sheets may be of people where rows are their times, but not where rows count people. */
const sheet: Finder = (columns) =>
  findByName(columns, [words.sheetWords], ({ examples = [] }) => !examples.some((text) => words.periodName.test(text)))

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

const duration: Finder = (columns) =>
  findByName(columns, words.durationWords, ({ name, type, examples = [] }) =>
    type === 'number' ? hasWord(name, words.durationUnits) : examples.some((value) => words.durationValue.test(value)),
  )

/** A column that says who was at the office, and who worked at home or was away. */
const status: Finder = (columns) =>
  columns.find(({ type, examples = [] }) => {
    const found = examples.filter((value) => type === 'string' && !isMark(value)).map(placeOfWork)
    return found.includes('office') && (found.includes('home') || found.includes('away'))
  }) ??
  columns.find(isMarks) ??
  // Words that are not known leave their rows out, with a reason; without the column, all would count.
  // Hours or parts of a day there, of which 0 says that a person was not.
  findByName(columns, [words.durationUnits, ...words.durationWords], isNumber) ??
  findByName(
    columns,
    words.presenceWords,
    (column) => isNumber(column) && (column.examples ?? []).every((text) => Number(text.replace(',', '.')) <= 1),
  ) ??
  findByName(
    columns,
    words.statusWords,
    ({ type, distinct = 0, examples = [] }) =>
      type === 'string' && (distinct > 1 || examples.some((value) => placeOfStatus(value) !== 'office')),
  )

const named =
  (patterns: readonly RegExp[], isUsable: (column: DescribedColumn) => boolean): Finder =>
  (columns) =>
    findByName(columns, patterns, isUsable)

/** A column of other words, such as of doors that stayed closed, would leave its rows out. */
const direction: Finder = (columns) =>
  findByName(columns, words.directionWords, (column) => hasValue(column, isDirection)) ??
  columns.find(hasBothDirections) ??
  // Rows of those who were not let in are left out by it.
  columns.find(
    (column) =>
      hasValue(column, (value) => isAccess(value, 'granted')) && hasValue(column, (value) => isAccess(value, 'denied')),
  ) ??
  // Values of protected rows are not known. Without directions everyone would be there until the evening, which is told
  // nowhere; a column of other words leaves its rows out, which is.
  findByName(
    columns,
    words.namedDirectionWords,
    ({ type, examples = [] }) => type === 'string' && examples.length === 0,
  )

const maxCode = 3

/** A column that says of some people or spaces that they are gone. */
const active: Finder = (columns) =>
  findByName(columns, [words.activeWords], ({ examples = [] }) =>
    examples.some((text) => isActiveState(text) === false),
  )

/** People present: of several statistics none, as it is not told which is meant. */
const level: Finder = (columns) => {
  const counted = columns.filter(
    (column) => isNumber(column) && !isNamed(column, [words.otherCountWords]) && costs.scaleOfName(column.name) === 1,
  )
  const isLevel = (column: DescribedColumn) => !words.isShare(column)
  const statistics = counted.filter(
    (column) => isNamed(column, [words.statisticWords]) && isNamed(column, words.levelWords),
  )
  const plain = counted.filter((column) => !statistics.includes(column))
  return findByName([...plain, ...(statistics.length > 1 ? [] : statistics)], words.levelWords, isLevel)
}

/** The times of a booking itself, where it has others too. */
const ofBooking =
  (patterns: readonly RegExp[]) =>
  (isUsable: (column: DescribedColumn) => boolean): Finder =>
  (columns) =>
    findByName(columns, patterns, (column) => isUsable(column) && !hasWord(column.name, words.asideWords)) ??
    findByName(columns, patterns, isUsable)

/** A column of times from and until, if no column counts people at these times. */
const rangeOfBooking: Finder = (columns) =>
  columns.some(isDay) && !columns.some((column) => isNumber(column) && isNamed(column, countNames))
    ? columns.find(isClockRange)
    : undefined

const spaceKind: Finder = (columns) =>
  findByName(columns, words.spaceKindWords, isText) ??
  columns.find(({ examples = [] }) => examples.length > 0 && examples.every(words.isSpaceKind))

/** The roles of each kind in the order in which they are given columns. */
export const finders: Record<RecognizedKind, Record<string, Finder>> = {
  people: {
    person,
    team,
    from: named([...words.startWords, ...words.joiningWords], isDate),
    until: named([...words.endWords, ...words.leavingWords], isDate),
    active: (columns) => active(columns),
  },
  badge_events: { time: momentOrClock(moment), date: dayOfTime, direction, person, space, team },
  attendance_days: { date: moment(isTime), status, person, space, team },
  bookings: {
    start: (columns) => momentOrClock(ofBooking(words.startWords))(columns) ?? rangeOfBooking(columns),
    end: (columns, start) =>
      (start !== undefined && isClock(start) ? undefined : ofBooking(words.endWords)(isMoment)(columns)) ??
      ofBooking(words.endWords)(isClock)(columns),
    duration: (columns) => duration(columns),
    date: dayOfTime,
    // Calendars have the id of each event too.
    person: (columns) => findByName(columns, words.bookerWords, isName) ?? person(columns),
    end_date: (columns, start) =>
      start !== undefined && isClock(start) ? findByName(columns, words.endWords, isDay) : undefined,
    attendees: named(words.attendeeWords, isNumber),
    space,
    no_show: named(words.noShowWords, isFlag),
    checked_in: named(words.checkedInWords, isFlag),
    cancelled: named(words.cancelledWords, isFlag),
  },
  counts: {
    time: momentOrClock(moment),
    date: dayOfTime,
    space: (columns) => space(columns) ?? sheet(columns),
    // Two directions are counted by two columns; one of them alone tells of arrivals only.
    in: named(words.inWords, isNumber),
    out: named(words.outWords, isNumber),
    value: (columns) => level(columns),
  },
  spaces: {
    kind: spaceKind,
    parent_id: named(words.parentWords, isName),
    active: (columns) => active(columns),
    name: (columns) =>
      findByName(columns, words.spaceNameWords, isName) ?? findByName(columns, words.spaceWords, isName),
    external_id: named(words.spaceIdWords, isName),
    capacity: named(words.capacityWords, isNumber),
    area_m2: named(
      words.areaWords,
      (column) => isNumber(column) && !isNamed(column, [words.otherAreaUnits, ...costs.costWords]),
    ),
    annual_cost: named(
      costs.costWords,
      (column) =>
        isNumber(column) &&
        !isNamed(column, [costs.otherCostWords]) &&
        !column.examples?.some((text) => costs.otherCostUnit.test(text)),
    ),
    avoidable_share: named(words.avoidableWords, isNumber),
    currency: named([/^(?:currency|wahrung|devise)$/], isText),
    country: named([/^(?:country|land|pays|pais|paese|国)$/], isText),
    // A code, such as `BY`: names of regions and states of use are none.
    subdivision: named(
      [/^(?:subdivision|bundesland|region|state)$/],
      (column) => isText(column) && (column.examples ?? []).every((text) => text.length <= maxCode),
    ),
    timezone: named([/^(?:timezone|zeitzone|fuseau|zonahoraria|fusoorario|タイムソーン)/], isText),
    opening_hours: named([/^(?:opening|offnungszeiten|offnungszeit|horaires)$/], isText),
  },
}
