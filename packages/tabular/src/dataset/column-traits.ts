import * as words from './column-roles.ts'
import { type DescribedColumn, hasWord } from './column-roles.ts'
import { directionOf, withoutDirection } from './directions.ts'
import { isMark, placeOfWork } from './places-of-work.ts'
import * as facts from './space-words.ts'
import { bookkeepingWords, clockRange, clockValue, employmentWords, hourWords, timeWords } from './time-words.ts'

export const isNamed = ({ name }: DescribedColumn, patterns: readonly RegExp[]): boolean =>
  patterns.some((pattern) => hasWord(name, pattern))
export const countNames = [...words.levelWords, ...words.inWords, ...words.outWords]

export const isBookkeeping = (column: DescribedColumn): boolean => isNamed(column, [bookkeepingWords, employmentWords])
/** Returns a number that is lower the surer the times of a column of this name say when its rows happened. */
export function momentDistance(name: string): number {
  const order = [
    [employmentWords],
    [bookkeepingWords],
    [...words.endWords, ...words.leavingWords, ...words.outWords, words.leftWords, words.asideWords],
    [...words.startWords, ...words.joiningWords],
    timeWords,
  ]
  const found = order.findIndex((patterns) => isNamed({ name, type: '' }, patterns))
  return [5, 4, 3, 0, 1, 2].at(found) ?? 2
}
export const isMoment = (column: DescribedColumn): boolean => isTime(column) && !isDay(column)
export const isDate = ({ type, isDateOnly }: DescribedColumn): boolean => type === 'timestamp' && isDateOnly !== false
export const isTime = ({ type }: DescribedColumn): boolean => type === 'timestamp'
/** Times of day say when only beside a column of days. */
export const isClock = ({ name, type, examples = [] }: DescribedColumn): boolean => {
  if (examples.length === 0) return false
  if (type !== 'timestamp' && hasWord(name, hourWords) && examples.every((text) => /^\d{1,2}$/.test(text)))
    return examples.every((text) => Number(text) <= 24)
  // Spreadsheets keep a time of day as a part of the day.
  if (type === 'number')
    return (
      [...words.startWords, ...words.endWords].some((pattern) => hasWord(name, pattern)) &&
      examples.some((text) => /[.,]\d/.test(text)) &&
      examples.every((text) => /^(?:0?[.,]\d+|[01](?:[.,]0+)?)$/.test(text))
    )
  return type === 'string' && examples.every((text) => clockValue.test(text.trim()))
}
/** Returns true for a column of ranges of times of day: `08:00–16:30`. */
export const isClockRange = (column: DescribedColumn): boolean =>
  isClock(column) && (column.examples ?? []).every((text) => clockRange.test(text.trim()))
export const isNumber = ({ type }: DescribedColumn): boolean => type === 'number'
/** Numbers of badges or rooms may have been read as numbers. */
export const isName = (column: DescribedColumn): boolean => isNumber(column) || (isText(column) && !isClock(column))
export const isText = ({ type }: DescribedColumn): boolean => type === 'string' || type === 'text'

export const isDay = ({ type, isDateOnly, examples = [] }: DescribedColumn): boolean =>
  type === 'timestamp' && (isDateOnly ?? (examples.length > 0 && !examples.some((text) => text.includes(':'))))

export const numberOfPeople = [...words.levelWords, ...words.attendeeWords]

/** Returns true for numbers such as those of `Users` at an hour, of which none is long enough for that of a person. */
export const isSmallNumber = ({ name, examples = [] }: DescribedColumn): boolean =>
  examples.length > 1 && examples.every((text) => text.length < minDigits) && !hasWord(name, words.cardWords)
const minDigits = 3

/** Returns true for the name of a place or device, such as `Room name`. */
export const isNameOfThing = (column: DescribedColumn): boolean =>
  isNamed(column, words.nameWords) &&
  !isNamed(column, words.identifiedPersonWords) &&
  isNamed(column, [...words.spaceWords, words.thingWords])

/** Returns true for a column with a mark, such as `x` or 1, for each day at the office. */
export const isMarks = (column: DescribedColumn): boolean =>
  isNamed(column, words.presenceWords) && !isNamed(column, words.homeWords) && isAllMarks(column)

export function isAllMarks({ examples = [] }: DescribedColumn): boolean {
  const marks = examples.filter((value) => value.trim() !== '' && value !== 'null')
  return marks.length > 0 && marks.every(isMark)
}

/** Returns true for kinds of absences, such as vacation, whose list is none of people. */
export const isOfAbsences = ({ type, examples = [] }: DescribedColumn): boolean =>
  type === 'string' && examples.length > 0 && examples.every((value) => !isMark(value) && placeOfWork(value) === 'away')

export const hasBothDirections = ({ type, examples = [] }: DescribedColumn): boolean => {
  const directions = examples.filter((value) => value.length > 1 && withoutDirection(value) === '').map(directionOf)
  return type === 'string' && directions.includes('in') && directions.includes('out')
}

/** Returns true for readers of which some differ by the direction alone, such as `Door 2 IN` and `Door 2 OUT`. */
export function areReadersByDirection({ type, examples = [] }: DescribedColumn): boolean {
  const found = Map.groupBy(examples.filter(directionOf), (value) => withoutDirection(value))
  return type === 'string' && [...found.values()].some((values) => new Set(values.map(directionOf)).size > 1)
}

export const hasValue = ({ type, examples = [] }: DescribedColumn, isOne: (value: string) => boolean): boolean =>
  type === 'string' && examples.some(isOne)

/** Returns true for `1. OG`, `EG`, `Level 3` and `2nd floor`, whatever the name of the column. */
export const isFloorName = (text: string): boolean =>
  /^(?:\d{1,2}\. ?(?:[OUZ]G|Etage|Stock(?:werk)?|(?:Ober|Unter)geschoss)|[EDU]G|(?:Erd|Dach|Unter)geschoss|(?:level|floor|[eé]tage|ebene) ?-?\d{1,2}|\d{1,2}(?:st|nd|rd|th) floor|ground floor)$/i.test(
    text.trim(),
  )

/** Returns false for numbers other than 1 and 0. */
export const isFlag = (column: DescribedColumn): boolean => !isNumber(column) || isAllMarks(column)

/** Returns true for columns of a team, or of a name and what it is in, and of a number of members. */
export function isListOfTeams(columns: readonly DescribedColumn[]): boolean {
  const texts = columns.filter(({ type }) => type === 'string')
  const hasName =
    words.findByName(texts, words.teamWords) ??
    (words.findByName(texts, facts.parentWords) && words.findByName(texts, words.nameWords))
  return hasName !== undefined && columns.some(isHeadcount)
}

/** Returns true for numbers of members, of which one is above 1: a person is a part of a full-time equivalent. */
const isHeadcount = (column: DescribedColumn): boolean =>
  column.type === 'number' &&
  isNamed(column, [words.memberWords]) &&
  (column.examples ?? []).some((text) => Number(text.replace(',', '.')) > 1)
