import type { SourceFormat } from '@wp/contracts'
import { unclosedQuote } from '../../parsers/csv/csv-row.ts'
import { createDelimitedParser, type DelimitedRecord } from '../../parsers/csv/delimited-parser.ts'
import { nameColumns } from '../name-columns.ts'
import { malformed } from '../problems.ts'
import type { RawRow, RawTable } from '../raw-table.ts'
import { withoutTableBeside } from '../table-beside.ts'
import type { TextSource } from '../text/open-text.ts'
import { detectLayout } from './detect-layout.ts'
import { unitsLineOf } from './find-header.ts'
import { sampleRecords } from './sample-records.ts'
import { skippedUnits } from './units-row.ts'

/** Records by which unnamed columns are found to be empty. */
const maxRecords = 5_000

/**
 * Opens delimited text: detects its delimiter, its header and the names of its columns.
 * @param isBeginning true for the beginning of a file, whose last row may be incomplete
 * @throws Problem
 */
export function openDelimited(text: TextSource, format: SourceFormat, isBeginning = false): RawTable {
  const { sample, isWhole } = text
  const { delimiter: known, header_row: headerRow, columns: pinned = {} } = format
  const names = Object.keys(pinned)
  const layout = detectLayout(sample, { isWhole, delimiter: known, headerRow, names })
  const { delimiter, header, usesCarriageReturns } = layout
  if (header.reason !== undefined) throw malformed(`The CSV cannot be read: its header row ${header.reason}`)
  const lines = usesCarriageReturns ? sample.replaceAll('\r', '\n') : sample
  const rows = sampleRecords(lines, delimiter, { maxRecords, firstLine: header.line, isWhole }).slice(1)
  const above = sampleRecords(lines, delimiter, { maxRecords: header.line, firstLine: 1, isWhole })
    .filter(({ line }) => line < header.line)
    .at(-1)
  const unitsLine = unitsLineOf(rows, header.cells.length)
  const isSkipped = (cells: readonly unknown[], line: number) => line === unitsLine || isRule(cells, line, header.line)
  const named = nameColumns(
    header.cells,
    (column) => rows.some(({ cells, line }) => (cells[column] ?? '').trim() !== '' && !isSkipped(cells, line)),
    above?.cells,
  )
  const { columns, warnings } = withoutTableBeside(named, rows)
  if (unitsLine !== undefined) warnings.push(skippedUnits(unitsLine))
  const isGrouped = warnings.some(({ code }) => code === 'grouped_columns')
  if (header.line > 1 && headerRow !== header.line && !isGrouped)
    warnings.push({
      code: 'skipped_lines',
      message: `The names of the columns are on line ${header.line}; the lines before it are skipped`,
    })
  return {
    format: { type: 'csv', encoding: text.encoding.name, delimiter, header_row: header.line },
    columns,
    warnings,
    delimiter,
    async *rows() {
      const parser = createDelimitedParser({ delimiter, usesCarriageReturns, skippedLines: header.line - 1 })
      let isHeader = true
      let endsLine = true
      // Columns that are aligned by spaces, as in Markdown, have these around their texts.
      const isPadded = delimiter === '|' && header.cells.some((cell) => /^\s+\S|\S\s+$/.test(cell))
      // A row with further cells is refused.
      const cut = (cells: unknown[]) => (cells.length > header.cells.length ? cells : cells.slice(0, columns.length))
      const tidied = (records: RawRow[]) =>
        records
          .map((record) => ('cells' in record ? { ...record, cells: cut(record.cells) } : record))
          .filter((record) => !('cells' in record && (isBlank(record.cells) || isSkipped(record.cells, record.line))))
          .map((record) => (isPadded && 'cells' in record ? { ...record, cells: record.cells.map(trimmed) } : record))
      for await (const chunk of text.chunks) {
        if (chunk !== '') endsLine = chunk.endsWith('\n') || chunk.endsWith('\r')
        const records = parser.write(chunk)
        if (isHeader && records.length > 0) {
          isHeader = false
          records.shift()
        }
        const read = tidied(records)
        if (read.length > 0) yield read
      }
      const records = parser.end()
      if (isHeader) records.shift()
      const last = records.at(-1)
      const width = columns.findLastIndex(({ isDropped }) => !isDropped) + 1
      if (!isBeginning && last !== undefined && isCut(last, width, endsLine))
        warnings.push({
          code: 'truncated',
          message: `The file ends within its last row, on line ${last.line}: the end of the file may be missing. Compare it with the original`,
        })
      const read = tidied(records)
      if (read.length > 0) yield read
    },
  }
}

/** Returns true if a text ends within its last record. A word alone may be a note below the table. */
function isCut(last: DelimitedRecord, width: number, endsLine: boolean): boolean {
  if ('reason' in last) return last.reason === unclosedQuote
  const { cells } = last
  return !endsLine && cells.length < width && (cells.length > 1 || /^\d(?!\d* \p{L})/u.test(cells[0] ?? ''))
}

/** Returns true for a line with delimiters only, as spreadsheets write empty rows. */
const isBlank = (cells: readonly unknown[]): boolean => cells.length > 1 && cells.every((cell) => trimmed(cell) === '')

const trimmed = (cell: unknown): unknown => (typeof cell === 'string' ? cell.trim() : cell)

/** Returns true for the line between header and rows of a table of Markdown or of a terminal, such as `|---|---|`. */
function isRule(cells: readonly unknown[], line: number, headerLine: number): boolean {
  const text = line === headerLine + 1 ? cells.join('|') : ''
  return text.includes('---') && /^[\s|:+-]*$/.test(text)
}
