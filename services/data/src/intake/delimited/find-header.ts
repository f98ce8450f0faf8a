import { isNullWord, scanMarkedNumber, scanNumber, scanTimestamp } from '@wp/tabular'
import type { SampleRecord } from './sample-records.ts'
import { isUnitsRow } from './units-row.ts'

/** The rows of a table within the records of a text or sheet. */
export interface FoundTable {
  header: SampleRecord
  /** Number of records after the header with as many cells, and of all records after it. */
  fitting: number
  following: number
  /** Number of columns of numbers or times. */
  typedColumns: number
}

/** A table whose header is not found: its first row is data, or several records could be the header. */
export type OpenHeader = 'dataFirst' | { candidates: SampleRecord[] }

/** Finds the header of a table; undefined if there is no table. */
export function findHeader(records: readonly SampleRecord[]): FoundTable | OpenHeader | undefined {
  const width = usualWidth(records)
  const malformed = records.filter(({ reason }) => reason !== undefined).length
  if (width === 0 || malformed * 2 > records.length) return undefined
  const typed = typedColumns(records, width)
  const index = typed.length > 0 ? headerBeforeData(records, width, typed) : firstFullRecord(records, width)
  if (typeof index !== 'number') return index
  const header = records[index]
  if (header === undefined) return undefined
  const rows = records.slice(index + 1)
  const isFitting = ({ cells, reason }: SampleRecord) => reason === undefined && fits(cells, header.cells.length)
  const fitting = rows.filter(isFitting).length
  const below = fitting === 0 ? 0 : rows.length - 1 - rows.findLastIndex(isFitting)
  return { header, fitting, following: rows.length - Math.min(below, maxFooters), typedColumns: typed.length }
}

/**
 * Returns the header of a table whose columns are known: that on the known line, or, as the lines above a table may be
 * more or fewer in each file, another one that has most of the names where that line has not; undefined if none has.
 */
export function headerOfNames<Item extends { cells: readonly unknown[] }>(
  known: Item | undefined,
  records: readonly Item[],
  names: readonly string[],
): Item | undefined {
  const hasMost = ({ cells }: Item) => {
    const found = new Set(cells.map((cell) => `${cell ?? ''}`.replaceAll(/\s+/g, ' ').trim()))
    return names.filter((name) => found.has(name)).length * 2 > names.length
  }
  return known !== undefined && hasMost(known) ? known : records.find(hasMost)
}

/** Returns the line of a row of units right below a header. @param rows the records below the header */
export function unitsLineOf(rows: readonly SampleRecord[], width: number): number | undefined {
  const [first, ...others] = rows.slice(0, maxTypedRows)
  if (first === undefined || others.length === 0) return undefined
  const typed = typedColumns(others, width)
  const isUnits = typed.length > 0 && isUnitsRow(first.cells, typed)
  return isUnits && typed.every(({ at, isValue }) => !isValue(first.cells[at] ?? '')) ? first.line : undefined
}

const maxTypedRows = 300

/** Rows below a table, such as its source, are no evidence against its layout. */
const maxFooters = 3

/** Returns true if a row has as many cells as the header, or further ones that are empty. */
const fits = (cells: readonly string[], width: number): boolean =>
  cells.length >= width && cells.slice(width).every((cell) => cell.trim() === '')

/** Returns the most frequent number of cells. */
function usualWidth(records: readonly SampleRecord[]): number {
  const counts = new Map<number, number>()
  for (const { cells } of records) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1)
  const [most] = [...counts].sort(([widthA, a], [widthB, b]) => b - a || widthB - widthA)
  // A short table may have fewer rows than there are lines around it.
  const wide = [...counts].filter(([width, count]) => width > 1 && count > 1)
  return most?.[0] === 1 && wide.length === 1 ? (wide[0]?.[0] ?? 1) : (most?.[0] ?? 0)
}

/** With a word as its unit, a number may be a name, such as 12 months. */
const isNumber = (cell: string): boolean =>
  scanNumber(cell.trim()) !== undefined || !/\p{L}/u.test(scanMarkedNumber(cell.trim())?.unit ?? 'none')

const isTyped = (cell: string): boolean => cell.trim() !== '' && (isNumber(cell) || isTime(cell))

const minTypedShare = 0.7

/** A column of numbers and times, or of times of day. */
interface TypedColumn {
  at: number
  isValue: (cell: string) => boolean
}

/** Times of day are no values elsewhere: names of columns may be hours. */
const isTimeOfDay = (cell: string): boolean => /^\d{1,2}:\d{2}(?::\d{2})?$/.test(cell.trim())

/** Returns the columns whose values, in the second half of the records, are numbers, times or times of day. */
function typedColumns(records: readonly SampleRecord[], width: number): TypedColumn[] {
  const rows = records.slice(Math.floor(records.length / 2)).filter(({ cells }) => cells.length === width)
  return Array.from({ length: width }, (_, at) => at).flatMap((at) => {
    const values = rows.map(({ cells }) => (cells[at] ?? '').trim()).filter((text) => text !== '' && !isNullWord(text))
    const isValue = [isNumber, isTime, isTyped, isTimeOfDay].find(
      (isOne) => values.length > 0 && values.filter(isOne).length >= values.length * minTypedShare,
    )
    return isValue === undefined ? [] : [{ at, isValue }]
  })
}

function headerBeforeData(
  records: readonly SampleRecord[],
  width: number,
  typed: readonly TypedColumn[],
): number | OpenHeader | undefined {
  const isData = ({ cells }: SampleRecord) => {
    if (cells.length < Math.min(width, 2)) return false
    return typed.filter(({ at, isValue }) => isValue(cells[at] ?? '')).length * 2 >= typed.length
  }
  const first = records.findIndex(isData)
  if (first === -1) return undefined
  const above = records.slice(0, first).flatMap((record, index) => {
    // A row of units has the names above it.
    const before = records[index - 1]
    const isBelowNames = before?.cells.length === record.cells.length && isHeader(before, width, typed)
    const isUnits = isUnitsRow(record.cells, typed) && (isBelowNames || record.cells[0]?.startsWith('#'))
    const isCandidate = isHeader(record, width, typed) && !isUnits
    return isCandidate ? [{ record, index, isNamed: typed.every(({ at }) => record.cells[at]?.trim()) }] : []
  })
  const named = above.filter(({ isNamed }) => isNamed)
  const known = named.length > 0 ? named : above
  const asWide = known.filter(({ record }) => record.cells.length === width)
  const candidates = afterLastGap(asWide.length > 0 ? asWide : known)
  const [only] = candidates
  if (only === undefined) return isNumericHeader(records, first) ? first : 'dataFirst'
  if (candidates.length > 1) return { candidates: candidates.map(({ record }) => record) }
  const below = above.find(({ index }) => index === only.index + 1)
  return below !== undefined && namesGroups(only.record, below.record) ? below.index : only.index
}

/** Returns true if names that occur more than once have names below them, which are then those of the columns. */
const namesGroups = ({ cells }: SampleRecord, below: SampleRecord): boolean =>
  cells.some((cell, at) => cell.trim() !== '' && cells.indexOf(cell) < at && below.cells[at]?.trim())

/** Returns the records of the last block without blank lines or others between them. */
function afterLastGap<Item extends { record: SampleRecord; index: number }>(items: readonly Item[]): Item[] {
  const start = items.findLastIndex(({ record, index }, at) => {
    const previous = items[at - 1]
    const lines = (previous?.record.cells ?? []).join('').split('\n').length
    return previous === undefined || index !== previous.index + 1 || record.line > previous.record.line + lines
  })
  return items.slice(start)
}

/** Returns true if a record names the columns of numbers and times, and most others. */
function isHeader({ cells, reason }: SampleRecord, width: number, typed: readonly TypedColumn[]): boolean {
  if (reason !== undefined || cells.length > width + 1) return false
  // A row of data may lack all of its values; one column may be named as if it had none, such as Na or Unknown.
  const nulls = typed.map(({ at }) => (cells[at] ?? '').trim()).filter(isNullWord)
  if (nulls.length * 2 > typed.length || nulls.some((text) => !/\p{L}/u.test(text))) return false
  const named = cells.filter((cell) => cell.trim() !== '').length
  const unnamed = typed.filter(({ at }) => (cells[at] ?? '').trim() === '').length
  return named >= 1 && unnamed <= 1 && (cells.length === width || named >= typed.length)
}

const isYear = (cell: string): boolean => /^(?:19|20)\d\d$/.test(cell.trim())
const isTime = (cell: string): boolean => scanTimestamp(cell.trim()) !== undefined

const minCounted = 12
/** Returns true for numbers that follow each other, as those of the days of a month or the hours of a day do. */
const isCounting = (names: readonly string[]): boolean =>
  names.length >= minCounted && names.every((name, at) => Number(name) === Number(names[0]) + at)

/** Returns true for a header with years or dates as names, as of a table with a column for each year. */
function isNumericHeader(records: readonly SampleRecord[], index: number): boolean {
  const cells = records[index]?.cells ?? []
  const columns = cells.flatMap((cell, column) => (isTyped(cell) ? [column] : []))
  const names = columns.map((column) => cells[column]?.trim() ?? '')
  if (isCounting(names) && names.length < cells.length) return index + 1 < records.length
  const isOfKind = names.every(isYear) ? isYear : names.every(isTime) ? isTime : undefined
  const isAscending = names.every((name, at) => at === 0 || name > (names[at - 1] ?? ''))
  if (isOfKind === undefined || !isAscending || names.length < 2 || names.length === cells.length) return false
  const following = records.slice(index + 1)
  return (
    following.length > 0 && following.every((record) => !columns.some((column) => isOfKind(record.cells[column] ?? '')))
  )
}

/** Returns the first record that names nearly all columns. */
function firstFullRecord(records: readonly SampleRecord[], width: number): number | undefined {
  const index = records.findIndex(({ cells, reason }) => {
    const named = cells.filter((cell) => cell.trim() !== '').length
    return reason === undefined && cells.length === width && named >= Math.max(1, width - 1)
  })
  if (index !== -1) return index
  const wide = records.findIndex(({ cells, reason }) => reason === undefined && cells.length === width)
  return wide === -1 ? undefined : wide
}
