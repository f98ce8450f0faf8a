import type { SampleRecord } from '../delimited/sample-records.ts'
import { type IntakeWarning, type RawTable, textOfCell as textOf } from '../raw-table.ts'
import type { SheetRow } from './read-sheet.ts'
import type { WorkbookParts } from './workbook-parts.ts'

type Labelled = Pick<WorkbookParts['sheets'][number], 'label'>

/** A sheet with a table. */
interface FoundSheet {
  sheet: Labelled
  header: SampleRecord
  sample: readonly SheetRow[]
}

const maxListedCharacters = 500
export const listNames = (names: readonly string[]): string => names.join(', ').slice(0, maxListedCharacters)
export const listLabels = (sheets: readonly Labelled[]): string => listNames(sheets.map(({ label }) => label))
const listSheets = (sheets: readonly FoundSheet[]) => listLabels(sheets.map(({ sheet }) => sheet))

/** Hidden rows and columns are read as others: what hides them, such as a filter, is not part of the data. */
export const hiddenRows = (line: number): IntakeWarning => ({
  code: 'hidden_rows',
  message: `Row ${line} is hidden in the workbook, maybe with others, as by a filter. Hidden rows are read and counted. If they are not to be, copy the visible rows into a new sheet`,
})

/** A number of a room, a floor or a year is that of each row, a count of people is not. */
export const mergedNumbers = (column: string): IntakeWarning => ({
  code: 'merged_numbers',
  column,
  message: `Column "${column}" has numbers in merged cells, which are read in each of their rows. Added up, they count more than once: if they are counts, split the cells and keep each number in one row`,
})

export const hiddenColumns = (columns: RawTable['columns'], hidden: ReadonlySet<number>): IntakeWarning[] =>
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
export const skippedLines = ({ line }: SampleRecord, sample: readonly SheetRow[]): IntakeWarning[] =>
  sample.some((row) => row.line < line && row.cells.filter((cell) => textOf(cell) !== '').length > 1)
    ? [
        {
          code: 'skipped_lines',
          message: `The names of the columns are in row ${line}; the rows before it are skipped`,
        },
      ]
    : []

/** @param alike those of the others that have the columns of the one that is read */
export function otherSheets(
  read: FoundSheet,
  others: readonly FoundSheet[],
  alike: readonly FoundSheet[],
): IntakeWarning[] {
  if (others.length === 0) return []
  const isAlone = alike.length === 0
  const same = isAlone ? '' : `. Of them, these have the same columns: ${listSheets(alike)}`
  const advice = isAlone
    ? 'To read another one, set `format.sheet`'
    : 'To read all of these as one table, set `format.sheet` to "*"; to read another one, to its name'
  const message = `The sheet ${read.sheet.label} is read. Other sheets have tables too: ${listSheets(others)}${same}. ${advice}`
  return [{ code: isAlone ? 'other_sheets' : 'alike_sheets', message }]
}

/** Sheets that are not read where all with the same columns are asked for. */
export function unreadSheets(read: number, others: readonly Labelled[]): IntakeWarning[] {
  const message = `${read} sheets are read. Others are not, as no table with the same columns is found in them, or as they are hidden: ${listLabels(others)}`
  return others.length === 0 ? [] : [{ code: 'other_sheets', message }]
}

/** Sheets that begin with the same rows, as a copy does. */
export function equalSheets(sheets: readonly FoundSheet[]): IntakeWarning[] {
  const groups = Map.groupBy(sheets, ({ header, sample }) =>
    JSON.stringify(sample.flatMap(({ line, cells }) => (line > header.line ? [cells] : []))),
  )
  // Months to come have no rows yet.
  groups.delete('[]')
  const copies = [...groups.values()].find(([, second]) => second !== undefined) ?? []
  const message = `The sheets ${listSheets(copies)} have the same rows, which are counted once for each. If one is a copy, delete it`
  return copies.length === 0 ? [] : [{ code: 'equal_sheets', message }]
}

export const renamedSheet = ({ sheet }: FoundSheet): IntakeWarning => ({
  code: 'renamed_sheet',
  message: `The workbook lacks the sheet of the file before; ${sheet.label} is read, which alone has its columns`,
})
