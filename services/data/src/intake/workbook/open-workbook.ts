import { Problem, type SourceFormat } from '@wp/contracts'
import { isIdentifierName } from '@wp/tabular'
import type { ZipArchive } from '../container/zip-archive.ts'
import { ambiguousHeader, withoutHeader } from '../delimited/detect-layout.ts'
import { findHeader, headerOfNames, unitsLineOf } from '../delimited/find-header.ts'
import type { SampleRecord } from '../delimited/sample-records.ts'
import { skippedUnits } from '../delimited/units-row.ts'
import { nameColumns } from '../name-columns.ts'
import { malformed, unexpectedFormat } from '../problems.ts'
import { type IntakeWarning, type RawTable, textOfCell as textOf } from '../raw-table.ts'
import { withoutTableBeside } from '../table-beside.ts'
import { createMergedCellFiller, readMergedCells } from './merged-cells.ts'
import { readSheet, type SheetRow } from './read-sheet.ts'
import { readWorkbookParts, type WorkbookParts } from './workbook-parts.ts'

/** Rows of a sheet by which its table is found. */
const sampleRows = 300

/**
 * Opens a workbook: finds the sheet with a table, its header and the names of its columns.
 * @throws Problem `unexpected_format` if it lacks the pinned sheet, `malformed_body`
 */
export async function openWorkbook(archive: ZipArchive, format: SourceFormat): Promise<RawTable> {
  const parts = await readWorkbookParts(archive)
  const found = await findSheet(archive, parts, format)
  const { sheet, header, sample, others } = found
  const rows = sample.filter(({ line }) => line > header.line)
  const width = Math.max(header.cells.length, ...rows.map(({ cells }) => cells.length))
  const unitsLine = unitsLineOf(rows.map(toRecord(width)), width)
  const names = Array.from({ length: width }, (_, column) => header.cells[column] ?? '')
  const named = nameColumns(
    names,
    (column) => rows.some(({ line, cells }) => line !== unitsLine && textOf(cells[column]) !== ''),
    sample.findLast(({ line }) => line < header.line)?.cells.map(textOf),
  )
  const { columns, warnings } = withoutTableBeside(named, rows)
  const isCut = columns.length < width
  if (unitsLine !== undefined) warnings.push(skippedUnits(unitsLine))
  if (others.length > 0) warnings.push(otherSheets(sheet.name, others))
  if (!warnings.some(({ code }) => code === 'grouped_columns')) warnings.push(...skippedLines(header, sample))
  warnings.push(...hiddenColumns(columns, found.hiddenColumns))
  return {
    format: { type: 'xlsx', sheet: sheet.name, header_row: header.line },
    sheets: parts.sheets.map(({ name }) => name),
    columns,
    warnings,
    async *rows() {
      let hasHidden = false
      const filled = new Set<number>()
      const fill = createMergedCellFiller(await readMergedCells(archive, sheet.path), (column) => {
        const { name = '', isDropped = true } = columns[column] ?? {}
        if (!filled.has(column) && !isDropped && !isIdentifierName(name)) warnings.push(mergedNumbers(name))
        filled.add(column)
      })
      for await (const batch of readSheet(archive, sheet.path, parts)) {
        batch.forEach(fill)
        const below = batch
          .filter(({ line }) => line > header.line && line !== unitsLine)
          .map((row) => (isCut ? { ...row, cells: row.cells.slice(0, columns.length) } : row))
          .filter(({ cells }) => !isCut || cells.some((cell) => textOf(cell) !== ''))
        const hidden = hasHidden ? undefined : below.find(({ isHidden }) => isHidden)
        if (hidden !== undefined) {
          hasHidden = true
          warnings.push(hiddenRows(hidden.line))
        }
        if (below.length > 0) yield below.map((row) => padded(row, columns.length))
      }
    },
  }
}

interface FoundSheet {
  sheet: WorkbookParts['sheets'][number]
  header: SampleRecord
  sample: SheetRow[]
  /** Positions of hidden columns, from 0. */
  hiddenColumns: ReadonlySet<number>
  /** Names of the other sheets with a table. */
  others: string[]
}

async function findSheet(archive: ZipArchive, parts: WorkbookParts, format: SourceFormat): Promise<FoundSheet> {
  const found: Omit<FoundSheet, 'others'>[] = []
  let unclear: SampleRecord[] | undefined
  let data: SampleRecord | undefined
  for (const sheet of candidates(parts, format.sheet)) {
    const isAsked = !sheet.isHidden || sheet.name === format.sheet
    const hiddenColumns = new Set<number>()
    const sample = await readSample(archive, sheet.path, parts, hiddenColumns).catch((error: unknown) => {
      if (isAsked || !(error instanceof Problem)) throw error
      return []
    })
    const header = headerOf(sample, format)
    if (Array.isArray(header)) unclear ??= isAsked ? header : undefined
    else if (header === 'dataFirst') data ??= isAsked ? sample.map(toRecord(0))[0] : undefined
    else if (header !== undefined) found.push({ sheet, header, sample, hiddenColumns })
  }
  // A list in one column is a table only if no sheet has more.
  const isWide = ({ header }: (typeof found)[number]) => header.cells.length > 1
  const shown = found.filter(({ sheet }) => !sheet.isHidden || sheet.name === format.sheet)
  const first = shown.find(isWide) ?? shown[0]
  // A hidden sheet is named if it may be the data, or more of it: lists of choices are shorter.
  const namesOf = (one = first) => one?.header.cells.map((name) => name.trim()).join('\n')
  const isOther = ({ sheet, ...one }: (typeof found)[number]) =>
    !sheet.isHidden || one.sample.length >= (first?.sample.length ?? 0) || namesOf({ sheet, ...one }) === namesOf()
  const others = found.filter((one) => one !== first && isOther(one) && (isWide(one) || !isWide(first ?? one)))
  if (first === undefined && unclear !== undefined) throw ambiguousHeader(unclear)
  if (first === undefined && data !== undefined) throw withoutHeader(data)
  if (first === undefined)
    throw malformed(
      `No sheet of the workbook that is shown has a table with names of columns: ${parts.sheets
        .map(({ name, isHidden }) => `"${name}"${isHidden ? ' (hidden)' : ''}`)
        .join(', ')
        .slice(0, 500)}`,
    )
  return { ...first, others: others.map(({ sheet }) => sheet.name) }
}

function candidates({ sheets }: WorkbookParts, pinned: string | undefined): WorkbookParts['sheets'] {
  if (pinned === undefined) return sheets
  const named = sheets.filter(({ name }) => name === pinned)
  if (named.length > 0) return named
  throw unexpectedFormat(
    `The workbook has no sheet "${pinned}"; its sheets are ${sheets
      .map(({ name }) => `"${name}"`)
      .join(', ')
      .slice(0, 500)}`,
  )
}

async function readSample(
  archive: ZipArchive,
  path: string,
  parts: WorkbookParts,
  hidden: Set<number>,
): Promise<SheetRow[]> {
  const sample: SheetRow[] = []
  const onHidden = (first: number, last: number) => {
    for (let column = first; column <= Math.min(last, maxHiddenColumns); column++) hidden.add(column)
  }
  for await (const batch of readSheet(archive, path, parts, onHidden)) {
    sample.push(...batch.slice(0, sampleRows - sample.length))
    if (sample.length >= sampleRows) break
  }
  return sample
}

/** Returns the header of a sheet, the records that could be it, or what it has instead; undefined without a table. */
function headerOf(
  sample: readonly SheetRow[],
  { header_row: pinned, columns: names = {} }: SourceFormat,
): SampleRecord | SampleRecord[] | 'dataFirst' | undefined {
  const records = sample.map(toRecord(0))
  if (pinned !== undefined)
    return headerOfNames(
      records.find(({ line }) => line === pinned),
      records,
      Object.keys(names),
    )
  const widest = Math.max(0, ...records.map(({ cells }) => cells.length))
  const found = findHeader(sample.map(toRecord(widest)))
  if (found === undefined || found === 'dataFirst') return records.length > 1 ? found : undefined
  if ('candidates' in found) return found.candidates
  if (found.following === 0) return undefined
  return records.find(({ line }) => line === found.header.line)
}

/** Rows of a sheet end with their last cell, so short ones are filled up. */
const toRecord =
  (width: number) =>
  ({ line, cells }: SheetRow): SampleRecord => ({
    line,
    cells: Array.from({ length: Math.max(width, cells.length) }, (_, at) => textOf(cells[at])),
  })

function padded({ line, cells }: SheetRow, width: number): SheetRow {
  while (cells.length < width) cells.push(null)
  return { line, cells }
}

/** Hidden columns behind those of any table are not listed. */
const maxHiddenColumns = 1_000

/** Hidden rows and columns are read as others: what hides them, such as a filter, is not part of the data. */
const hiddenRows = (line: number): IntakeWarning => ({
  code: 'hidden_rows',
  message: `Row ${line} is hidden in the workbook, maybe with others, as by a filter. Hidden rows are read and counted. If they are not to be, copy the visible rows into a new sheet`,
})

/** A number of a room, a floor or a year is that of each row, a count of people is not. */
const mergedNumbers = (column: string): IntakeWarning => ({
  code: 'merged_numbers',
  column,
  message: `Column "${column}" has numbers in merged cells, which are read in each of their rows. Added up, they count more than once: if they are counts, split the cells and keep each number in one row`,
})

const hiddenColumns = (columns: RawTable['columns'], hidden: ReadonlySet<number>): IntakeWarning[] =>
  columns.flatMap(({ name, isDropped }, at) =>
    hidden.has(at) && !isDropped
      ? [
          {
            code: 'hidden_column',
            column: name,
            message: `Column "${name}" is hidden in the workbook. It is read as the others`,
          },
        ]
      : [],
  )

/** Lines above the header are named only if they have several cells: a title says nothing about the columns. */
const skippedLines = ({ line }: SampleRecord, sample: readonly SheetRow[]): IntakeWarning[] =>
  sample.some((row) => row.line < line && row.cells.filter((cell) => textOf(cell) !== '').length > 1)
    ? [
        {
          code: 'skipped_lines',
          message: `The names of the columns are in row ${line}; the rows before it are skipped`,
        },
      ]
    : []

const otherSheets = (name: string, others: readonly string[]): IntakeWarning => ({
  code: 'other_sheets',
  message: `The sheet "${name}" is read. Other sheets have tables too: ${others
    .map((other) => `"${other}"`)
    .join(', ')
    .slice(0, 500)}. To read another one, set \`format.sheet\``,
})
