import type { SourceFormat } from '@wp/contracts'
import { isIdentifierName } from '@wp/tabular'
import type { ZipArchive } from '../container/zip-archive.ts'
import { unitsLineOf } from '../delimited/find-header.ts'
import { skippedUnits } from '../delimited/units-row.ts'
import { freeName, nameColumns } from '../name-columns.ts'
import { type IntakeWarning, type RawColumn, type RawTable, textOfCell as textOf } from '../raw-table.ts'
import { withoutTableBeside } from '../table-beside.ts'
import { allSheets, type FoundSheet, findSheets, toRecord } from './find-sheets.ts'
import { createMergedCellFiller, readMergedCells } from './merged-cells.ts'
import { readSheet, type SheetRow } from './read-sheet.ts'
import * as warn from './sheet-warnings.ts'
import { readWorkbookParts, type WorkbookParts } from './workbook-parts.ts'

/**
 * Opens a workbook: finds the sheet with a table, or all that have the same columns, the header and the names of the
 * columns.
 * @throws Problem `unexpected_format` if it lacks the pinned sheet, `malformed_body`
 */
export async function openWorkbook(archive: ZipArchive, format: SourceFormat): Promise<RawTable> {
  const parts = await readWorkbookParts(archive)
  const found = await findSheets(archive, parts, format)
  const isJoined = format.sheet === allSheets
  const tables = found.sheets.map((sheet) => layOut(sheet))
  const warnings: IntakeWarning[] = []
  const addWarning = ({ sheet }: FoundSheet) => {
    const ofSheet = (warning: IntakeWarning) => ({ ...warning, message: `Sheet "${sheet.name}": ${warning.message}` })
    return (warning: IntakeWarning) => {
      const count = warnings.filter(({ code }) => code === warning.code).length
      if (!isJoined || count < maxWarnings) warnings.push(isJoined ? ofSheet(warning) : warning)
    }
  }
  for (const table of tables) table.warnings.forEach(addWarning(table))
  warnings.push(...found.warnings)
  const [{ header, sheet }] = found.sheets
  const columns = isJoined ? joinColumns(tables) : (tables[0]?.columns ?? [])
  return {
    format: { type: 'xlsx', sheet: isJoined ? allSheets : sheet.name, header_row: header.line },
    sheets: parts.sheets.map(({ name }) => name),
    columns,
    warnings,
    ...(isJoined ? { sheetColumn: columns.length - 2 } : {}),
    async *rows() {
      for (const table of tables) {
        const rows = readRows(archive, parts, table, addWarning(table))
        if (isJoined) yield* withColumns(rows, table, columns)
        else yield* rows
      }
    },
  }
}

const maxWarnings = 20

interface SheetTable extends FoundSheet {
  columns: RawColumn[]
  warnings: IntakeWarning[]
  unitsLine: number | undefined
  /** True if columns of a table beside this one are left out. */
  isCut: boolean
}

function layOut(found: FoundSheet): SheetTable {
  const { header, sample } = found
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
  if (unitsLine !== undefined) warnings.push(skippedUnits(unitsLine))
  if (!warnings.some(({ code }) => code === 'grouped_columns')) warnings.push(...warn.skippedLines(header, sample))
  warnings.push(...warn.hiddenColumns(columns, found.hiddenColumns))
  return { ...found, columns, warnings, unitsLine, isCut: columns.length < width }
}

async function* readRows(
  archive: ZipArchive,
  parts: WorkbookParts,
  { sheet, header, columns, unitsLine, isCut }: SheetTable,
  addWarning: (warning: IntakeWarning) => void,
): AsyncGenerator<SheetRow[]> {
  let hasHidden = false
  const filled = new Set<number>()
  const fill = createMergedCellFiller(await readMergedCells(archive, sheet.path), (column) => {
    const { name = '', isDropped = true } = columns[column] ?? {}
    if (!filled.has(column) && !isDropped && !isIdentifierName(name)) addWarning(warn.mergedNumbers(name))
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
      addWarning(warn.hiddenRows(hidden.line))
    }
    if (below.length > 0) yield below.map((row) => padded(row, columns.length))
  }
}

function padded({ line, cells }: SheetRow, width: number): SheetRow {
  while (cells.length < width) cells.push(null)
  return { line, cells }
}

/** Returns the columns of all sheets by name, one with the name of the sheet, and one for values without a name. */
function joinColumns(tables: readonly SheetTable[]): RawColumn[] {
  const named = new Map(tables.flatMap(({ columns }) => columns).map((column) => [column.name, column]))
  named.delete('')
  const name = freeName('Sheet', new Set(named.keys()))
  return [...named.values(), { name, isDropped: false }, { name: '', isDropped: true }]
}

/** Moves the cells of a sheet to the columns of all. */
async function* withColumns(batches: AsyncGenerator<SheetRow[]>, table: SheetTable, columns: readonly RawColumn[]) {
  const positions = new Map(columns.map(({ name }, at) => [name, at]))
  const places = table.columns.map(({ name }) => positions.get(name) ?? -1)
  for await (const batch of batches)
    yield batch.map(({ line, cells }) => {
      const moved: unknown[] = columns.map(() => null)
      for (const [at, cell] of cells.entries()) {
        const place = places[at] ?? columns.length - 1
        if (textOf(cell) !== '' || cell === '') moved[place] ??= cell
      }
      return { line, cells: moved, sheet: table.sheet.name }
    })
}
