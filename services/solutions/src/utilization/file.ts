import type { solutions } from '@wp/contracts'
import { neutralizeFormulas } from '@wp/tabular'
import type { z } from 'zod'
import { fileName } from '../content/file-name.ts'
import { printedWorkbook } from '../content/printed-workbook.ts'
import { csvFor, textFor } from '../content/reader-text.ts'
import { dateOf, dayOf } from '../workplace/local-days.ts'

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

type Names = ReadonlyMap<string, string>
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

/** The days that were asked for. */
interface Asked {
  since: string
  until: string
  warnings: readonly string[]
}

/** Returns the days of rows that state none, such as those of weekdays: `2026-11-02 to 2026-11-29`. */
const daysOf = ({ since, until }: Asked): string => `${since} to ${dateOf(dayOf(until) - 1)}`

/** Returns the name of a file: `Utilization of Munich A – 2026-11-28.csv`, with the last day of the rows. */
function utilizationName(rows: readonly Row[], names: Names, asked: Asked, extension: string): string {
  const [{ space_id: space, team_id: team } = {}] = rows
  const name = names.get(space ?? team ?? '')
  const last = rows
    .flatMap(({ start }) => start?.slice(0, 10) ?? [])
    .sort()
    .at(-1)
  return fileName(name === undefined ? 'Utilization' : `Utilization of ${name}`, last ?? daysOf(asked), extension)
}

/** Returns the rows as a file for spreadsheets. A workbook has the days and warnings on a sheet of their own. */
export function utilizationFile(
  rows: readonly Row[],
  names: ReadonlyMap<string, string>,
  { format, meta, locale }: { format: 'csv' | 'xlsx'; meta: Asked; locale?: string | undefined },
) {
  return {
    contentType: format === 'csv' ? 'text/csv' : xlsxType,
    filename: utilizationName(rows, names, meta, format),
    open: async function* () {
      if (format === 'csv') yield* csvOf(rows, names, locale)
      else yield await workbookOf(rows, names, { meta, locale })
    },
  }
}

function* csvOf(rows: readonly Row[], names: Names, locale: string | undefined): Generator<Uint8Array> {
  const csv = csvFor(locale)
  yield Buffer.from(csv.mark + csv.row([...columns]))
  for (let at = 0; at < rows.length; at += chunkRows)
    yield Buffer.from(
      rows
        .slice(at, at + chunkRows)
        .map((row) => csv.row(cellsOf(row, names)))
        .join(''),
    )
}

async function workbookOf(
  rows: readonly Row[],
  names: Names,
  { meta, locale }: { meta: Asked; locale: string | undefined },
): Promise<Uint8Array> {
  // Loaded at its first use: most processes never write a workbook.
  const { default: writeWorkbook } = await import('write-excel-file/node')
  const heading = columns.map((value) => ({ value, fontWeight: 'bold' as const }))
  const { sentence, dayFormat } = textFor(locale)
  const table = rows.map((row) => cellsOf(row, names).map((value, at) => sheetCell(value, columns[at], dayFormat)))
  const notes = [`Days: ${daysOf(meta)}.`, ...meta.warnings].map((text) => [neutralizeFormulas(sentence(text))])
  return writeWorkbook(
    [
      {
        sheet: 'Utilization',
        columns: columns.map((column) => ({ width: column === 'name' ? 28 : Math.max(11, column.length + 2) })),
        data: [heading, ...table],
        stickyRowsCount: 1,
        orientation: 'landscape' as const,
      },
      { sheet: 'Notes', data: notes },
    ],
    { features: [printedWorkbook] },
  ).toBuffer()
}

/** Formats of figures that are no whole numbers, and of those that are shares. */
const formats: Partial<Record<(typeof columns)[number], string>> = {
  average: '#,##0.0',
  p90: '#,##0.0',
  sharing_ratio: '0.00',
  share: '0 %',
  co_attendance: '0 %',
  coverage: '0 %',
}

/** Returns a value as spreadsheets have it: a day as a date, so that charts have an axis of time. */
function sheetCell(value: CellValue, column: (typeof columns)[number] | undefined, dayFormat: string) {
  if (typeof value === 'number') return { value, format: (column && formats[column]) ?? '#,##0' }
  if (typeof value !== 'string') return value
  const isDay = column === 'start' && /^\d{4}-\d{2}-\d{2}$/.test(value)
  return isDay ? { value: new Date(value), format: dayFormat } : neutralizeFormulas(value)
}
