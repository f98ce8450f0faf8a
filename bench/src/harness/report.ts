import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'

/** A line of a table: a cell for each column. */
export type Row = Record<string, string | number>

/**
 * Prints rows as a table and writes them, with the metadata, to a JSON file in bench/results.
 * @param metadata what else the result depends on or consists of
 */
export function report(name: string, rows: readonly Row[], metadata: Record<string, unknown> = {}): void {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const cells = rows.map((row) => columns.map((column) => formatCell(row[column] ?? '')))
  const widths = columns.map((column, index) => Math.max(column.length, ...cells.map((row) => row[index]?.length ?? 0)))
  const isNumeric = columns.map((column) => rows.every((row) => typeof (row[column] ?? 0) === 'number'))
  const formatLine = (line: readonly string[]) =>
    line
      .map((cell, index) => (isNumeric[index] ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0)))
      .join('  ')
  process.stdout.write(`\n${formatLine(columns)}\n${widths.map((width) => '-'.repeat(width)).join('  ')}\n`)
  for (const line of cells) process.stdout.write(`${formatLine(line)}\n`)
  const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length }
  const result = { name, at: new Date().toISOString(), ...machine, ...metadata, rows }
  const directory = join(import.meta.dirname, '../../results')
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`)
  process.stdout.write(`${JSON.stringify(metadata)}\n`)
}

const formatCell = (cell: string | number): string =>
  typeof cell === 'number' ? (Number.isInteger(cell) ? String(cell) : cell.toFixed(Math.abs(cell) < 10 ? 3 : 1)) : cell
