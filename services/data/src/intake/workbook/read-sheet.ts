import type { ZipArchive } from '../container/zip-archive.ts'
import { malformed } from '../problems.ts'
import { ErrorCell, TimeCell } from '../raw-table.ts'
import { parseXmlPieces } from './read-xml.ts'
import { readDisplayed, readSerial } from './serial-dates.ts'
import { decodeEscapes, type WorkbookParts } from './workbook-parts.ts'

/** A row of a sheet with its cells from the first column on. Rows without cells are left out. */
export interface SheetRow {
  line: number
  cells: unknown[]
  /** True of a row that the workbook hides, as a filter does. */
  isHidden?: boolean
}

const maxColumns = 1_000
const maxCellCharacters = 262_144

interface OpenCell {
  column: number
  type: string
  style: number
  value: string
  inline: string
  hasFormula: boolean
}

/**
 * Yields the rows of a sheet in batches, hidden ones too.
 * @param onHiddenColumns is called with the first and last position, from 0, of columns that the workbook hides
 * @throws Problem `malformed_body`
 */
export async function* readSheet(
  archive: ZipArchive,
  path: string,
  parts: WorkbookParts,
  onHiddenColumns?: (first: number, last: number) => void,
): AsyncGenerator<SheetRow[]> {
  const entry = archive.entries.get(path)
  if (entry === undefined) return
  let ready: SheetRow[] = []
  let row: SheetRow = { line: 0, cells: [] }
  let cell: OpenCell | undefined
  let element = ''
  let phonetic = 0
  let nextColumn = 0

  const handlers = {
    open(name: string, attributes: Readonly<Record<string, string>>) {
      element = name
      if (name === 'row') {
        const line = Number(attributes.r ?? row.line + 1)
        if (line <= row.line) throw damaged(path, `row ${line} is below row ${row.line}`)
        row = { line, cells: [] }
        nextColumn = 0
        if (isTrue(attributes.hidden)) row.isHidden = true
      }
      if (name === 'col' && isTrue(attributes.hidden))
        onHiddenColumns?.(Number(attributes.min) - 1, Number(attributes.max) - 1)
      if (name === 'rPh') phonetic++
      if (name === 'f' && cell !== undefined) cell.hasFormula = true
      if (name !== 'c') return
      const column = attributes.r === undefined ? nextColumn : columnOf(attributes.r)
      nextColumn = column + 1
      const { t: type = 'n', s: style = 0 } = attributes
      cell = { column, type, style: Number(style), value: '', inline: '', hasFormula: false }
    },
    text(text: string) {
      if (cell === undefined) return
      if (element === 'v') cell.value += text
      else if (element === 't' && phonetic === 0) cell.inline += text
      if (cell.value.length + cell.inline.length > maxCellCharacters) throw malformed('A cell is larger than 256 KiB')
    },
    close(name: string) {
      element = ''
      if (name === 'rPh') phonetic--
      if (name === 'c' && cell !== undefined) {
        const value = readCell(cell, parts)
        // Cells that have a style only may go on to the last column.
        if (value !== null && !setCell(row.cells, cell.column, value))
          throw damaged(path, `row ${row.line} has two values of column ${cell.column + 1}`)
        cell = undefined
      }
      if (name === 'row' && row.cells.some((value) => value !== null && value !== '')) ready.push(row)
    },
  }
  for await (const _ of parseXmlPieces(archive.read(entry), path, handlers)) {
    if (ready.length === 0) continue
    yield ready
    ready = []
  }
}

const damaged = (path: string, fault: string) => malformed(`The workbook is damaged: ${path}: ${fault}`)

/** Returns false if the cell has a value already. */
function setCell(cells: unknown[], column: number, value: unknown): boolean {
  if (column >= maxColumns) throw malformed(`A row has more than ${maxColumns} columns`)
  while (cells.length < column) cells.push(null)
  if ((cells[column] ?? null) !== null) return false
  cells[column] = value
  return true
}

const isTrue = (text: string | undefined): boolean => text === '1' || text === 'true'

/** Returns the position of a column, from 0, of a reference such as `B7`. */
function columnOf(reference: string): number {
  let column = 0
  for (let at = 0; at < reference.length; at++) {
    const letter = reference.charCodeAt(at) - 64
    if (letter < 1 || letter > 26) break
    column = column * 26 + letter
  }
  return column - 1
}

function readCell({ type, style, value, inline, hasFormula }: OpenCell, parts: WorkbookParts): unknown {
  if (type === 'inlineStr') return decodeEscapes(inline)
  if (value === '') return hasFormula && type !== 'str' ? new ErrorCell('a formula without a stored value') : null
  if (type === 's') return parts.sharedStrings[Number(value)] ?? new ErrorCell('a text that the workbook lacks')
  if (type === 'str') return decodeEscapes(value)
  if (type === 'b') return value === '1'
  const format = parts.formats[style]
  if (type === 'e') return value === '#N/A' ? '#N/A' : new ErrorCell(value)
  if (type === 'd') return readIsoTime(value, format !== undefined && 'hasTime' in format && !format.hasTime)
  const number = Number(value)
  if (!Number.isFinite(number)) return new ErrorCell(value)
  // Its digits beyond 2^53 are those of a number of a badge or a card.
  if (format === undefined) return Number.isInteger(number) && !Number.isSafeInteger(number) ? value : number
  if ('minDigits' in format) return readDisplayed(number, format)
  return readSerial(number, format, parts.uses1904) ?? new ErrorCell(`${value} as a time`)
}

const isoTime = /^(\d{4}-\d\d-\d\d)?(?:T?(\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)?)?$/

/** Reads a date, a time or a time of day of a strict workbook (ISO/IEC 29500-1, section 18.17.4.1). */
function readIsoTime(value: string, isDate: boolean): unknown {
  const [, date, time, zone = ''] = isoTime.exec(value) ?? []
  if (date === undefined) return time ?? new ErrorCell(value)
  const isDay = time === undefined || (isDate && /^[0:.]+$/.test(time))
  return new TimeCell(isDay ? date : `${date}T${time.length === 5 ? `${time}:00` : time}${zone}`)
}
