import { type CellReader, compileNumberCells, compileTimeCells, plainTimestamp, scanMarkedNumber } from '@wp/tabular'
import type { InvalidRow, Row, ValidRow } from '../../parsers/row.ts'
import { ErrorCell, isEmptyCell as isEmpty, type RawColumn, type RawRow, TimeCell, textOfCell } from '../raw-table.ts'
import { type ColumnPlan, offsetOfName } from './column-plan.ts'

/** Converts the rows of a table by the plan of its columns. */
export interface RowConverter {
  convert(row: RawRow): Row
  convertObject(row: Row): Row
  /** Texts that were read as no value, by column. */
  nulls: ReadonlyMap<string, ReadonlySet<string>>
}

interface ConverterOptions {
  plans: readonly ColumnPlan[]
  /** The columns by position; empty for JSON. */
  columns: readonly RawColumn[]
  nulls: ReadonlySet<string>
  /** The field with the key, which a refused row keeps. */
  keyField: string | undefined
  /** Leaves values out of the reasons of refused rows. */
  hidesValues: boolean
}

interface ColumnReader {
  plan: ColumnPlan
  read: CellReader
  /** The offset of local times. */
  offset?: string
}

export function createRowConverter({ plans, columns, nulls, keyField, hidesValues }: ConverterOptions): RowConverter {
  const found = new Map<string, Set<string>>()
  const readers = new Map(
    plans.flatMap((plan) => createReader(plan, nulls, found)).map((reader) => [reader.plan.name, reader]),
  )
  const byPosition = columns.map(({ name }) => readers.get(name))
  const hasProto = columns.some(({ name }) => name === '__proto__')
  const keyColumn = columns.findIndex(({ name }) => name === keyField)

  return {
    nulls: found,
    convert(row) {
      if (!('cells' in row)) return row
      const { cells, line, ...keys } = row
      if (cells.length !== columns.length) {
        const reason = lengthFault(cells, columns)
        if (reason !== undefined) return { line, reason }
      }
      const value: Record<string, unknown> = {}
      for (let at = 0; at < columns.length; at++) {
        const column = columns[at]
        if (column === undefined) break
        const cell = cells[at]
        const reader = byPosition[at]
        const read = typeof cell === 'string' && reader === undefined ? cell : readCell(cell, reader, false)
        if (read === undefined || (column.isDropped && !isEmpty(cell)))
          return withKey(refusal(line, column, at, cell, { reader, hidesValues }), keyColumn, row, byPosition)
        if (column.isDropped) continue
        if (hasProto) define(value, column.name, read)
        else value[column.name] = read
      }
      return { line, value, ...keys }
    },
    convertObject(row) {
      if (!('value' in row)) return row
      const { value } = row
      let converted: Record<string, unknown> | undefined
      for (const [name, reader] of readers) {
        if (!Object.hasOwn(value, name)) continue
        const cell = value[name]
        const read = readCell(cell, reader, true)
        if (read === undefined) return objectRefusal(row, name, cell, { reader, hidesValues }, keyField)
        if (read === cell) continue
        converted ??= copyOf(value)
        define(converted, name, read)
      }
      return converted === undefined ? row : { ...row, value: converted }
    },
  }
}

function createReader(plan: ColumnPlan, nulls: ReadonlySet<string>, found: Map<string, Set<string>>): ColumnReader[] {
  const onNull = (text: string) => {
    const texts = found.get(plan.name) ?? new Set()
    if (texts.size < maxNulls) texts.add(text)
    found.set(plan.name, texts)
  }
  if (plan.type === 'number')
    return [
      {
        plan,
        read: compileNumberCells(
          { ...plan.marks, unit: plan.unit, allowsLeadingZeros: plan.isDeclared },
          { nulls, onNull },
        ),
      },
    ]
  if (plan.type !== 'timestamp') return []
  const read = compileTimeCells(plan.timestampFormats, { nulls, onNull })
  const offset = offsetOfName(plan.name)
  return [offset === undefined ? { plan, read } : { plan, read: (text) => withOffset(read(text), offset), offset }]
}

const withOffset = <Value>(value: Value, offset = ''): Value | string =>
  typeof value === 'string' && /T\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/.test(value) ? `${value}${offset}` : value

const maxNulls = 50

/** Returns the value of a cell, undefined if it is not of the type of its column. */
function readCell(cell: unknown, reader: ColumnReader | undefined, isJson: boolean): unknown {
  if (typeof cell === 'string') return reader === undefined ? cell : reader.read(cell)
  if (cell === null || cell === undefined) return null
  if (cell instanceof ErrorCell) return undefined
  const type = reader?.plan.type
  if (cell instanceof TimeCell) {
    if (type === 'number') return undefined
    return withOffset(cell.text, reader?.offset)
  }
  if (type === undefined) return cell
  if (typeof cell === 'number') return type === 'number' || isJson ? cell : undefined
  return undefined
}

function lengthFault(cells: readonly unknown[], columns: readonly RawColumn[]): string | undefined {
  const isLong = cells.length > columns.length && cells.slice(columns.length).every(isEmpty)
  const isShort = cells.length < columns.length && columns.slice(cells.length).every(({ isDropped }) => isDropped)
  return isLong || isShort ? undefined : `has ${cells.length} columns where the header has ${columns.length}`
}

/** The kind of value that was expected where one is refused. */
interface Expected {
  reader: ColumnReader | undefined
  hidesValues: boolean
}

function refusal(
  line: number,
  { name, isDropped }: RawColumn,
  at: number,
  cell: unknown,
  expected: Expected,
): InvalidRow {
  const badValue = textOf(cell)
  const shown = expected.hidesValues ? 'a value' : `the value "${badValue}"`
  if (isDropped) return { line, reason: `column ${at + 1} has ${shown}, but no name`, badValue }
  return { line, reason: reasonFor(name, badValue, expected), column: name, badValue }
}

const maxValueLength = 100

function textOf(cell: unknown): string {
  const isText = typeof cell !== 'object' || cell instanceof TimeCell || cell instanceof ErrorCell
  const text = isText ? textOfCell(cell) : JSON.stringify(cell)
  return text.length > maxValueLength ? text.slice(0, maxValueLength).toWellFormed() : text
}

function reasonFor(column: string, value: string, { reader, hidesValues }: Expected): string {
  const subject = hidesValues ? 'its value' : `"${value}"`
  const unit = reader?.plan.unit
  const ofNumbers = unit === undefined ? 'a number' : `a number of ${unit}`
  const expected = reader?.plan.type === 'number' ? ofNumbers : `a time${formatsOf(reader)}`
  const weekday = plainTimestamp(value.trim())?.weekdays === undefined ? '' : ', or names another day of the week'
  return reader === undefined
    ? `column "${column}": ${subject} is an error of the workbook`
    : `column "${column}": ${subject} is not ${expected}, as the column has them${reader.plan.type === 'timestamp' ? weekday : unitHint(value, reader.plan, hidesValues)}`
}

/** Says what to do about the numbers of a column with a unit that was declared without it. */
function unitHint(value: string, { unit }: ColumnPlan, hidesValues: boolean): string {
  const found = unit === undefined && !hidesValues ? scanMarkedNumber(value.trim())?.unit : undefined
  return found === undefined || found === ''
    ? ''
    : `; if all of them are in ${found}, state it as the unit of the column`
}

function formatsOf(reader: ColumnReader | undefined): string {
  const formats = reader?.plan.timestampFormats ?? []
  return formats.length === 0 ? '' : ` of the format ${formats.slice(0, 3).join(' or ')}`
}

function withKey(
  row: InvalidRow,
  keyColumn: number,
  { cells, ownKey }: { cells: readonly unknown[]; ownKey?: string },
  readers: readonly (ColumnReader | undefined)[],
): InvalidRow {
  const key = ownKey ?? keyText(keyColumn === -1 ? undefined : readCell(cells[keyColumn], readers[keyColumn], false))
  return key === undefined ? row : { ...row, key }
}

function objectRefusal(
  row: ValidRow,
  name: string,
  cell: unknown,
  expected: Expected,
  keyField: string | undefined,
): InvalidRow {
  const badValue = textOf(cell)
  const position = row.element === undefined ? '' : `element ${row.element}: `
  const invalid = {
    line: row.line,
    reason: `${position}${reasonFor(name, badValue, expected)}`,
    column: name,
    badValue,
  }
  const isKeyed = keyField !== undefined && Object.hasOwn(row.value, keyField)
  const key = isKeyed ? (row.ownKey ?? keyText(row.value[keyField])) : undefined
  return key === undefined ? invalid : { ...invalid, key }
}

function keyText(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return `${value}`
  return typeof value === 'string' && value !== '' ? value : undefined
}

function copyOf(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(value)) define(copy, name, value[name])
  return copy
}

/** Sets a member of any name: an assignment to `__proto__` would set the prototype instead. */
function define(value: Record<string, unknown>, name: string, member: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(value, name, { value: member, enumerable: true, configurable: true, writable: true })
  else value[name] = member
}
