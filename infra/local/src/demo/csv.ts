import { parse } from 'csv-parse/sync'
import { DemoError } from './demo-error.ts'

/** A CSV with its header taken off. */
export interface Table {
  columns: string[]
  rows: string[][]
}

/** Which columns the forecast is made from. */
export interface ColumnNames {
  timestamp: string
  value: string
  /** Absent: everything is one series. */
  group?: string
}

/** Reads a CSV (RFC 4180) whose first line names its columns. @throws DemoFailure when it is none */
export function readTable(text: string): Table {
  let records: string[][]
  try {
    records = parse(text, { bom: true, skip_empty_lines: true, trim: true })
  } catch (cause) {
    throw new DemoError(`this is no CSV: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
  const [columns = [], ...rows] = records
  if (rows.length === 0) throw new DemoError('the CSV has no rows under its header')
  return { columns, rows }
}

/**
 * The columns that were asked for; where none were: `timestamp`, the first column that holds nothing but numbers, and
 * `building` where there is one.
 * @throws DemoFailure naming the columns there are
 */
export function chooseColumns({ columns, rows }: Table, requested: Partial<ColumnNames> = {}): ColumnNames {
  const timestamp = requested.timestamp ?? 'timestamp'
  const group = requested.group ?? (columns.includes('building') ? 'building' : undefined)
  const isNumeric = (_: string, index: number) => rows.every((row) => isNumber(row[index]))
  const value = requested.value ?? columns.filter(isNumeric).find((name) => name !== timestamp && name !== group)
  if (value === undefined) throw new DemoError(`no column holds numbers; there are ${columns.join(', ')}`)
  for (const name of [timestamp, value, ...(group === undefined ? [] : [group])])
    if (!columns.includes(name)) throw new DemoError(`there is no column ${name}; there are ${columns.join(', ')}`)
  return { timestamp, value, ...(group === undefined ? {} : { group }) }
}

/** Writes a table as CSV again. */
export function writeTable({ columns, rows }: Table): string {
  return [columns, ...rows].map((row) => `${row.map(quote).join(',')}\n`).join('')
}

const quote = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

const isNumber = (cell: string | undefined) => cell !== undefined && cell !== '' && Number.isFinite(Number(cell))
