import type { solutions } from '@wp/contracts'
import { csvRow, neutralizeFormulas } from '@wp/tabular'
import type { z } from 'zod'
import { fileName } from '../content/file-name.ts'
import { printedWorkbook } from '../content/printed-workbook.ts'

type Row = z.input<typeof solutions.getUtilization.list>

const columns = [
  'name',
  'start',
  'weekday',
  'hour',
  'attendance',
  'average',
  'peak',
  'p90',
  'capacity',
  'share',
  'headcount',
  'sharing_ratio',
  'co_attendance',
  'source',
  'attendance_source',
  'coverage',
  'suppressed',
] as const

type CellValue = string | number | null

function cellsOf(row: Row, names: ReadonlyMap<string, string>): CellValue[] {
  const id = row.space_id ?? row.team_id ?? ''
  return columns.map((column) => {
    if (column === 'name') return names.get(id) ?? id
    if (column === 'suppressed') return row.suppressed ? 'yes' : 'no'
    return row[column] ?? null
  })
}

const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
/** Rows of one chunk of a CSV file. */
const chunkRows = 500

/** Returns the name of a file: `Utilization of Munich A – 2026-11-28.csv`, with the last day of the rows. */
function utilizationName(rows: readonly Row[], names: ReadonlyMap<string, string>, extension: string): string {
  const [{ space_id: space, team_id: team } = {}] = rows
  const name = names.get(space ?? team ?? '')
  const last =
    rows
      .map(({ start }) => start?.slice(0, 10) ?? '')
      .sort()
      .at(-1) ?? ''
  return fileName(name === undefined ? 'Utilization' : `Utilization of ${name}`, last, extension)
}

/** Returns the rows as a file for spreadsheets. A workbook has the warnings on a sheet of their own. */
export function utilizationFile(
  rows: readonly Row[],
  names: ReadonlyMap<string, string>,
  { format, warnings }: { format: 'csv' | 'xlsx'; warnings: readonly string[] },
) {
  return {
    contentType: format === 'csv' ? 'text/csv' : xlsxType,
    filename: utilizationName(rows, names, format),
    open: async function* () {
      if (format === 'csv') yield* csvOf(rows, names)
      else yield await workbookOf(rows, names, warnings)
    },
  }
}

function* csvOf(rows: readonly Row[], names: ReadonlyMap<string, string>): Generator<Uint8Array> {
  yield Buffer.from(csvRow([...columns]))
  for (let at = 0; at < rows.length; at += chunkRows)
    yield Buffer.from(
      rows
        .slice(at, at + chunkRows)
        .map((row) => csvRow(cellsOf(row, names)))
        .join(''),
    )
}

async function workbookOf(
  rows: readonly Row[],
  names: ReadonlyMap<string, string>,
  warnings: readonly string[],
): Promise<Uint8Array> {
  // Loaded at its first use: most processes never write a workbook.
  const { default: writeWorkbook } = await import('write-excel-file/node')
  const heading = columns.map((value) => ({ value, fontWeight: 'bold' as const }))
  const table = rows.map((row) =>
    cellsOf(row, names).map((value) => (typeof value === 'string' ? neutralizeFormulas(value) : value)),
  )
  const notes = warnings.map((text) => [neutralizeFormulas(text)])
  return writeWorkbook(
    [
      { sheet: 'Utilization', data: [heading, ...table], stickyRowsCount: 1, orientation: 'landscape' as const },
      ...(notes.length > 0 ? [{ sheet: 'Notes', data: notes }] : []),
    ],
    { features: [printedWorkbook] },
  ).toBuffer()
}
