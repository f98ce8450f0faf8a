import { describe, expect, it } from '@jest/globals'
import { Problem } from '@wp/contracts'
import fc from 'fast-check'
import { type WrittenTable, writtenTable } from './random-table.ts'
import { readTable } from './read-table.ts'

/** Tables of a run; `INTAKE_TABLES=10000` examines more. */
const runs = Number(process.env.INTAKE_TABLES ?? 300)

describe('the intake', () => {
  it('reads each cell right or refuses it when a table is written in any dialect', async () => {
    const results = { tables: 0, refusedTables: 0, cells: 0, keptAsText: 0, refusedRows: 0 }
    await fc.assert(
      fc.asyncProperty(writtenTable, async (table) => {
        results.tables++
        await examine(table, results)
      }),
      { numRuns: runs, seed: 20_241_127 },
    )
    if (runs > 300) process.stdout.write(`${JSON.stringify(results)}\n`)
    // Most tables leave no doubt, so refusing everything would not pass.
    expect(results.refusedTables / results.tables).toBeLessThan(0.35)
  }, 600_000)
})

async function examine(table: WrittenTable, results: Record<string, number>): Promise<void> {
  const read = await readTable(table.bytes).catch((error: unknown) => error)
  if (read instanceof Error) {
    if (!(read instanceof Problem)) throw read
    expect(['ambiguous_format', 'malformed_body']).toContain(read.code)
    results.refusedTables = (results.refusedTables ?? 0) + 1
    return
  }
  // A resolved promise of readTable.
  const { rows, values } = read as Awaited<ReturnType<typeof readTable>>
  const wrong: unknown[] = []
  if (rows.length < table.rows.length) wrong.push(`${rows.length} of ${table.rows.length} rows`)
  rows.slice(table.rows.length).forEach((row) => {
    if ('value' in row) wrong.push(['footer', row.value])
  })
  table.rows.forEach((cells, index) => {
    const row = rows[index]
    if (row === undefined || 'reason' in row) {
      results.refusedRows = (results.refusedRows ?? 0) + 1
      return
    }
    cells.forEach(({ written, value }, column) => {
      const name = table.names[column] ?? ''
      const found = row.value[name]
      results.cells = (results.cells ?? 0) + 1
      if (found === value) return
      if (found === written) results.keptAsText = (results.keptAsText ?? 0) + 1
      else if (!(typeof value === 'string' && String(found) === written)) wrong.push({ name, written, value, found })
    })
  })
  if (values.length === 0 && rows.length > 0) wrong.push('no row was read')
  if (wrong.length > 0) throw new Error(`${JSON.stringify(wrong.slice(0, 3))}\n${table.description}`)
}
