import * as words from './column-roles.ts'
import { type DescribedColumn, findByName, hasWord } from './column-roles.ts'
import {
  countNames,
  hasBothDirections,
  hasValue,
  isClock,
  isClockRange,
  isDay,
  isFloorName,
  isMarks,
  isMoment,
  isName,
  isNamed,
  isNameOfThing,
  isNumber,
  isSmallNumber,
  isText,
  numberOfPeople,
} from './column-traits.ts'
import { isAccess, isDirection } from './directions.ts'
import { isActiveState, isMark, placeOfStatus, placeOfWork } from './places-of-work.ts'
import * as facts from './space-words.ts'
import { bookkeepingWords, durationUnits, durationValue, durationWords, timeWords } from './time-words.ts'

export const identification = /^(?:id|nr|no|num|number|nummer|uid|email|upn)$/

/** @param time the column of the time or the start, if it is found already */
export type Finder = (columns: readonly DescribedColumn[], time?: DescribedColumn) => DescribedColumn | undefined

export const person: Finder = (columns) =>
  findByName(
    columns
      .filter((column) => !isNamed(column, words.readerWords) && !isNameOfThing(column))
      // Beside an identification a name tells less: two people may have the same.
      .toSorted((a, b) => Number(isNamed(b, [identification])) - Number(isNamed(a, [identification]))),
    words.personWords,
    (column) => isName(column) && !(isNumber(column) && (isNamed(column, numberOfPeople) || isSmallNumber(column))),
  )

/** A column with one value for all rows tells less than one around it with several. */
export const space: Finder = (columns) => {
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
  const exact = named.filter((column) => !isNamed(column, facts.spaceKindWords))
  const usable = exact.length > 0 ? exact : named
  return (
    findByName(usable, words.spaceWords, ({ distinct }) => distinct === undefined || distinct > 1) ??
    findByName(usable, words.spaceWords) ??
    usable.find((column) => isText(column) && column.examples?.length && column.examples.every(isFloorName))
  )
}

/** Sheets may be of people where rows are their times, but not where rows count people. */
export const sheet: Finder = (columns) =>
  findByName(columns, [words.sheetWords], ({ examples = [] }) => !examples.some((text) => words.periodName.test(text)))

export const team: Finder = (columns) => findByName(columns, words.teamWords, isName)

export const moment =
  (isUsable: (column: DescribedColumn) => boolean): Finder =>
  (columns) => {
    const usable = columns.filter(isUsable)
    const ofEvent = usable.filter(({ name }) => !hasWord(name, bookkeepingWords))
    return findByName(ofEvent, timeWords) ?? ofEvent[0] ?? usable[0]
  }

/** A time with its day, or else a time of day where a column of days is beside it. */
export const momentOrClock =
  (findTime: (isUsable: (column: DescribedColumn) => boolean) => Finder): Finder =>
  (columns) =>
    findTime(isMoment)(columns) ?? (columns.some(isDay) ? findTime(isClock)(columns) : undefined)

/** The day of times of day. */
export const dayOfTime: Finder = (columns, time) =>
  time !== undefined && isClock(time) ? moment(isDay)(columns) : undefined

export const duration: Finder = (columns) =>
  findByName(columns, durationWords, ({ name, type, examples = [] }) =>
    type === 'number' ? hasWord(name, durationUnits) : examples.some((value) => durationValue.test(value)),
  )

/** A column that says who was at the office, and who worked at home or was away. */
export const status: Finder = (columns) =>
  columns.find(({ type, examples = [] }) => {
    const found = examples.filter((value) => type === 'string' && !isMark(value)).map(placeOfWork)
    return found.includes('office') && (found.includes('home') || found.includes('away'))
  }) ??
  columns.find(isMarks) ??
  // Words that are not known leave their rows out, with a reason; without the column, all would count.
  // Hours or parts of a day there, of which 0 says that a person was not.
  findByName(columns, [durationUnits, ...durationWords], isNumber) ??
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

export const named =
  (patterns: readonly RegExp[], isUsable: (column: DescribedColumn) => boolean): Finder =>
  (columns) =>
    findByName(columns, patterns, isUsable)

/** A column of other words, such as of doors that stayed closed, would leave its rows out. */
export const direction: Finder = (columns) =>
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

/** A column that says of some people or spaces that they are gone. */
export const active: Finder = (columns) =>
  findByName(columns, [words.activeWords], ({ examples = [] }) =>
    examples.some((text) => isActiveState(text) === false),
  )

/** People present: of several statistics none, as it is not told which is meant. */
export const level: Finder = (columns) => {
  const counted = columns.filter(
    (column) => isNumber(column) && !isNamed(column, [words.otherCountWords]) && facts.scaleOfName(column.name) === 1,
  )
  const isLevel = (column: DescribedColumn) => !words.isShare(column)
  const statistics = counted.filter(
    (column) => isNamed(column, [words.statisticWords]) && isNamed(column, words.levelWords),
  )
  const plain = counted.filter((column) => !statistics.includes(column))
  return findByName([...plain, ...(statistics.length > 1 ? [] : statistics)], words.levelWords, isLevel)
}

/** The times of a booking itself, where it has others too. */
export const ofBooking =
  (patterns: readonly RegExp[]) =>
  (isUsable: (column: DescribedColumn) => boolean): Finder =>
  (columns) =>
    findByName(columns, patterns, (column) => isUsable(column) && !hasWord(column.name, words.asideWords)) ??
    findByName(columns, patterns, isUsable)

/** A column of times from and until, if no column counts people at these times. */
export const rangeOfBooking: Finder = (columns) =>
  columns.some(isDay) && !columns.some((column) => isNumber(column) && isNamed(column, countNames))
    ? columns.find(isClockRange)
    : undefined

export const spaceKind: Finder = (columns) =>
  findByName(columns, facts.spaceKindWords, isText) ??
  columns.find(({ examples = [] }) => examples.length > 0 && examples.every(facts.isSpaceKind))
