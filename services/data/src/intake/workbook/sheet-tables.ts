import { Problem, type SourceFormat } from '@wp/contracts'
import type { ZipArchive } from '../container/zip-archive.ts'
import { ambiguousHeader, withoutHeader } from '../delimited/detect-layout.ts'
import { findHeader, headerOfNames, unitsLineOf } from '../delimited/find-header.ts'
import type { SampleRecord } from '../delimited/sample-records.ts'
import { skippedUnits } from '../delimited/units-row.ts'
import { nameColumns } from '../name-columns.ts'
import { type IntakeWarning, type RawColumn, textOfCell as textOf } from '../raw-table.ts'
import { withoutTableBeside } from '../table-beside.ts'
import { readSheet, type SheetRow } from './read-sheet.ts'
import * as warn from './sheet-warnings.ts'
import type { WorkbookParts } from './workbook-parts.ts'

/** Stands in `format.sheet` for all sheets with the same columns. No sheet can have this name. */
export const allSheets = '*'

/** Returns true for the name of the column that names the sheet of each row, where all sheets are read. */
export const isSheetColumn = (name: string): boolean => /^Sheet(?:_\d+)?$/.test(name)

interface FoundSheet {
  sheet: WorkbookParts['sheets'][number]
  header: SampleRecord
  sample: SheetRow[]
  /** Positions of hidden columns, from 0. */
  hiddenColumns: ReadonlySet<number>
}

/** A sheet with a table. */
export interface SheetTable extends FoundSheet {
  columns: RawColumn[]
  /** Names of its columns, by which it is told if other sheets have the same. */
  names: ReadonlySet<string>
  warnings: IntakeWarning[]
  unitsLine: number | undefined
  /** True if columns of a table beside this one are left out. */
  isCut: boolean
  /** Thrown if the sheet is read. */
  fault?: Problem
}

/** Rows of a sheet by which its table is found. */
const sampleRows = 300
/** Hidden columns behind those of any table are not listed. */
const maxHiddenColumns = 1_000

/** Returns the sheets that have a table. Those that are hidden need not have one that can be read. */
export async function readTables(
  archive: ZipArchive,
  sheets: WorkbookParts['sheets'],
  parts: WorkbookParts,
  format: SourceFormat,
): Promise<SheetTable[]> {
  const found: SheetTable[] = []
  let unclear: SampleRecord[] | undefined
  let data: SampleRecord | undefined
  for (const sheet of sheets) {
    const isAsked = !sheet.isHidden || sheet.name === format.sheet
    const hiddenColumns = new Set<number>()
    const sample = await readSample(archive, sheet.path, parts, hiddenColumns).catch((error: unknown) => {
      if (isAsked || !(error instanceof Problem)) throw error
      return []
    })
    const header = headerOf(sample, format)
    if (Array.isArray(header)) unclear ??= isAsked ? header : undefined
    else if (header === 'dataFirst') data ??= isAsked ? sample.map(toRecord(0))[0] : undefined
    else if (header !== undefined) found.push(layOut({ sheet, header, sample, hiddenColumns }))
  }
  if (found.some(({ sheet }) => !sheet.isHidden || sheet.name === format.sheet)) return found
  if (unclear !== undefined) throw ambiguousHeader(unclear)
  if (data !== undefined) throw withoutHeader(data)
  return found
}

/** Returns the pinned columns that are in the sheets. */
export const pinnedNames = ({ sheet, columns = {} }: SourceFormat): string[] =>
  Object.keys(columns).filter((name) => sheet !== allSheets || !isSheetColumn(name))

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
  format: SourceFormat,
): SampleRecord | SampleRecord[] | 'dataFirst' | undefined {
  const records = sample.map(toRecord(0))
  const known = records.find(({ line }) => line === format.header_row)
  if (format.header_row !== undefined) {
    const names = pinnedNames(format)
    const named = headerOfNames(known, records, names)
    // Of several sheets, each may have its header on another line, with groups above.
    if (named !== undefined || format.sheet !== allSheets || names.length === 0) return named ?? known
  }
  const widest = Math.max(0, ...records.map(({ cells }) => cells.length))
  const found = findHeader(sample.map(toRecord(widest)))
  if (found === undefined || found === 'dataFirst') return known ?? (records.length > 1 ? found : undefined)
  if ('candidates' in found) return known ?? found.candidates
  if (found.following === 0) return undefined
  return records.find(({ line }) => line === found.header.line)
}

/** Rows of a sheet end with their last cell, so short ones are filled up. */
export const toRecord =
  (width: number) =>
  ({ line, cells }: SheetRow): SampleRecord => ({
    line,
    cells: Array.from({ length: Math.max(width, cells.length) }, (_, at) => textOf(cells[at])),
  })

/** Returns a sheet with its columns, or with the fault of their names, which matters only if the sheet is read. */
function layOut(found: FoundSheet): SheetTable {
  try {
    return withColumns(found)
  } catch (fault) {
    if (!(fault instanceof Problem)) throw fault
    const names = new Set(found.header.cells.filter((name) => name !== ''))
    return { ...found, columns: [], names, warnings: [], unitsLine: undefined, isCut: false, fault }
  }
}

function withColumns(found: FoundSheet): SheetTable {
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
  const shown = new Set(columns.flatMap(({ name, isDropped }) => (isDropped ? [] : [name])))
  return { ...found, columns, names: shown, warnings, unitsLine, isCut: columns.length < width }
}
