import type { SourceFormat } from '@wp/contracts'
import { isIdentifierName } from '@wp/tabular'
import type { ZipArchive } from '../container/zip-archive.ts'
import { freeName } from '../name-columns.ts'
import { type IntakeWarning, type RawColumn, type RawTable, sheetWarnings, textOfCell as textOf } from '../raw-table.ts'
import { findSheets } from './find-sheets.ts'
import { createMergedCellFiller, readMergedCells } from './merged-cells.ts'
import { readSheet, type SheetRow } from './read-sheet.ts'
import { allSheets, type SheetTable } from './sheet-tables.ts'
import * as warn from './sheet-warnings.ts'
import { readWorkbookParts, type WorkbookParts } from './workbook-parts.ts'

/**
 * Opens a workbook: finds the sheet with a table, or all that have the same columns, the header and the names of the
 * columns.
 * @param isProtected keeps names of sheets out of warnings: they may be those of people
 * @throws Problem `unexpected_format` if it lacks the pinned sheet, `malformed_body`
 */
export async function openWorkbook(archive: ZipArchive, format: SourceFormat, isProtected: boolean): Promise<RawTable> {
  const parts = await readWorkbookParts(archive, isProtected)
  const found = await findSheets(archive, parts, format)
  const isJoined = format.sheet === allSheets
  const tables = found.sheets
  const warnings: IntakeWarning[] = []
  const addWarning = ({ sheet }: SheetTable) =>
    isJoined ? sheetWarnings(warnings, sheet.label) : (warning: IntakeWarning) => void warnings.push(warning)
  for (const table of tables) {
    if (table.fault !== undefined) throw table.fault
    table.warnings.forEach(addWarning(table))
  }
  warnings.push(...found.warnings)
  const [{ header, sheet }] = tables
  const columns = isJoined ? joinColumns(tables) : tables[0].columns
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
  const named = new Map<string, RawColumn>()
  // A column is that which repeats a name if it is so in any sheet: it is protected as that name.
  for (const column of tables.flatMap(({ columns }) => columns))
    if (named.get(column.name)?.repeats === undefined) named.set(column.name, column)
  named.delete('')
  const name = freeName('Sheet', new Set(named.keys()))
  // Beside a column of that name, it is protected as that one is.
  const sheet = { name, isDropped: false, ...(name === 'Sheet' ? {} : { repeats: 'Sheet' }) }
  return [...named.values(), sheet, { name: '', isDropped: true }]
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
