import { parse } from 'csv-parse/sync'
import { DemoError } from '../demo-error.ts'

/** The header and the rows of a CSV file. */
export interface Table {
  columns: string[]
  rows: string[][]
}

/** The columns that the forecast uses. */
export interface ColumnNames {
  timestamp: string
  value: string
  /** Undefined: all rows are one series. */
  group?: string
}

/** Parses a CSV (RFC 4180) whose first line names the columns. @throws DemoError if it is malformed or has no rows */
export function readTable(text: string): Table {
  let records: string[][]
  try {
    records = parse(text, { bom: true, skip_empty_lines: true, trim: true })
  } catch (cause) {
    throw new DemoError(`malformed CSV: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
  const [columns = [], ...rows] = records
  if (rows.length === 0) throw new DemoError('the CSV has no rows below its header')
  return { columns, rows }
}

/**
 * Returns the requested columns. The defaults are `timestamp`, the first column that contains only numbers, and
 * `building` if it exists.
 * @throws DemoError naming the existing columns
 */
export function chooseColumns({ columns, rows }: Table, requested: Partial<ColumnNames> = {}): ColumnNames {
  const timestamp = requested.timestamp ?? 'timestamp'
  const group = requested.group ?? (columns.includes('building') ? 'building' : undefined)
  const isNumeric = (_: string, index: number) => rows.every((row) => isNumber(row[index]))
  const value = requested.value ?? columns.filter(isNumeric).find((name) => name !== timestamp && name !== group)
  if (value === undefined) throw new DemoError(`no column contains only numbers; the columns are ${columns.join(', ')}`)
  for (const name of [timestamp, value, ...(group === undefined ? [] : [group])])
    if (!columns.includes(name))
      throw new DemoError(`there is no column ${name}; the columns are ${columns.join(', ')}`)
  return { timestamp, value, ...(group === undefined ? {} : { group }) }
}

/** Formats a table as CSV. */
export function writeTable({ columns, rows }: Table): string {
  return [columns, ...rows].map((row) => `${row.map(quote).join(',')}\n`).join('')
}

const quote = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

const isNumber = (cell: string | undefined) => cell !== undefined && cell !== '' && Number.isFinite(Number(cell))
