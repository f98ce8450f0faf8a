import { isNullWord, scanNumber, scanTimestamp } from '@wp/tabular'
import type { SampleRecord } from './sample-records.ts'

/** The rows of a table within the records of a text or sheet. */
export interface FoundTable {
  header: SampleRecord
  /** Number of records after the header with as many cells, and of all records after it. */
  fitting: number
  following: number
  /** Number of columns of numbers or times. */
  typedColumns: number
}

/** Finds the header of a table with `width` columns. `dataFirst`: the table has no header, its first row is data. */
export function findHeader(records: readonly SampleRecord[]): FoundTable | 'dataFirst' | undefined {
  const width = usualWidth(records)
  if (width === 0) return undefined
  const typed = typedColumns(records, width)
  const index = typed.length > 0 ? headerBeforeData(records, width, typed) : firstFullRecord(records, width)
  if (index === 'dataFirst' || index === undefined) return index
  const header = records[index]
  if (header === undefined) return undefined
  const rows = records.slice(index + 1)
  const fitting = rows.filter(({ cells, reason }) => reason === undefined && fits(cells, header.cells.length)).length
  return { header, fitting, following: rows.length, typedColumns: typed.length }
}

/** Returns true if a row has as many cells as the header, or further ones that are empty. */
const fits = (cells: readonly string[], width: number): boolean =>
  cells.length >= width && cells.slice(width).every((cell) => cell.trim() === '')

/** Returns the most frequent number of cells. */
function usualWidth(records: readonly SampleRecord[]): number {
  const counts = new Map<number, number>()
  for (const { cells } of records) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1)
  const [most] = [...counts].sort(([widthA, a], [widthB, b]) => b - a || widthB - widthA)
  return most?.[0] ?? 0
}

const isTyped = (cell: string): boolean => {
  const text = cell.trim()
  return text !== '' && (scanNumber(text) !== undefined || scanTimestamp(text) !== undefined)
}

const minTypedShare = 0.7

/** Returns the columns whose values, in the second half of the records, are numbers or times. */
function typedColumns(records: readonly SampleRecord[], width: number): number[] {
  const rows = records.slice(Math.floor(records.length / 2)).filter(({ cells }) => cells.length === width)
  return Array.from({ length: width }, (_, column) => column).filter((column) => {
    const values = rows
      .map(({ cells }) => (cells[column] ?? '').trim())
      .filter((text) => text !== '' && !isNullWord(text))
    return values.length > 0 && values.filter(isTyped).length >= values.length * minTypedShare
  })
}

function headerBeforeData(
  records: readonly SampleRecord[],
  width: number,
  typed: readonly number[],
): number | 'dataFirst' | undefined {
  const isData = ({ cells }: SampleRecord) => {
    if (cells.length < Math.min(width, 2)) return false
    return typed.filter((column) => isTyped(cells[column] ?? '')).length * 2 >= typed.length
  }
  const first = records.findIndex(isData)
  if (first === -1) return undefined
  const numeric = numericHeader(records, first)
  if (numeric !== undefined) return numeric
  for (let index = first - 1; index >= 0; index--) {
    const record = records[index]
    if (record !== undefined && isHeader(record, width, typed) && !isUnits(record)) return index
  }
  return 'dataFirst'
}

/** Returns true if a record names the columns of numbers and times, and most others. */
function isHeader({ cells, reason }: SampleRecord, width: number, typed: readonly number[]): boolean {
  if (reason !== undefined || cells.length > width + 1) return false
  const named = cells.filter((cell) => cell.trim() !== '').length
  const unnamed = typed.filter((column) => (cells[column] ?? '').trim() === '').length
  return named >= 1 && unnamed <= 1 && (cells.length === width || named >= typed.length)
}

/** Returns true for a row of units below a header, such as `[h]` and `(people)`. */
const isUnits = ({ cells }: SampleRecord): boolean =>
  cells.every((cell) => cell.trim() === '' || /^[[(].*[\])]$/.test(cell.trim()))

/**
 * Returns the header whose names are years or dates, as in a table with a column for each year; undefined if the
 * record is not one.
 */
function numericHeader(records: readonly SampleRecord[], index: number): number | undefined {
  const years = (record: SampleRecord | undefined) =>
    (record?.cells ?? []).filter((cell) => isTyped(cell)).map((cell) => cell.trim())
  const names = years(records[index])
  const cells = records[index]?.cells ?? []
  const isAscending = names.every((name, at) => at === 0 || name > (names[at - 1] ?? ''))
  const areYears =
    names.every((name) => /^(?:19|20)\d\d$/.test(name)) || names.every((name) => scanTimestamp(name) !== undefined)
  const isSingle = names.length < 2 || names.length === cells.length
  if (!areYears || !isAscending || isSingle) return undefined
  const following = records.slice(index + 1)
  const isRepeated = following.some((record) => years(record).join() === names.join())
  const areYearsToo = following.every((record) => years(record).every((cell) => /^(?:19|20)\d\d$/.test(cell)))
  return isRepeated || areYearsToo || following.length === 0 ? undefined : index
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
