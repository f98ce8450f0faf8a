import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { occupancyFiles, refusedFiles } from './occupancy-files.ts'
import { type ReadTable, readTable } from './read-table.ts'

const sumsOf = (values: ReadTable['values'], names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, values.reduce((sum, row) => sum + Number(row[name] ?? Number.NaN), 0)]))

describe('a file', () => {
  it.each(Object.entries(occupancyFiles))('is read right when it has %s', async (_, file) => {
    const { values, refused, format } = await readTable(file.content)
    expect({
      rows: values.length,
      refused: refused.length,
      columns: Object.keys(values[0] ?? {}),
      sums: sumsOf(values, Object.keys(file.sums)),
    }).toEqual({ rows: file.rows, refused: file.refused ?? 0, columns: file.columns, sums: file.sums })
    // What was decided reads the same file the same way.
    expect((await readTable(file.content, { format })).values).toEqual(values)
  })

  it.each(Object.entries(refusedFiles))('is refused, or has no rows, when it is %s', async (_, { content, detail }) => {
    if (detail === null) expect((await readTable(content)).rows).toEqual([])
    else await expect(readTable(content)).rejects.toMatchObject({ detail: expect.stringContaining(detail) })
  })
})

const collection = join(import.meta.dirname, '../../../../../shared/cases/files')

describe('the collection of files beside the project', () => {
  it('is read as its list expects, when it is there', async () => {
    if (!existsSync(collection)) {
      process.stdout.write(`skipped: ${collection} does not exist\n`)
      return
    }
    const expected = JSON.parse(readFileSync(join(collection, 'expected.json'), 'utf8'))
    const table: string[] = []
    for (const name of readdirSync(collection).filter((file) => file !== 'expected.json')) {
      const { rows, sum, series, refused_rows: refusedRows = 0, refused: isRefused, columns } = expected[name]
      const read = await readTable(readFileSync(join(collection, name))).catch(
        (error: Error & { detail?: string }) => error,
      )
      if (read instanceof Error) {
        table.push(`${name}: refused: ${read.detail}`)
        expect([name, isRefused]).toEqual([name, true])
        continue
      }
      const { values, refused } = read
      const names = Object.keys(values[0] ?? {})
      const sums = sumsOf(
        values,
        names.filter((column) => typeof values[0]?.[column] === 'number'),
      )
      table.push(
        `${name}: ${values.length} rows, ${refused.length} refused, sums ${JSON.stringify(sums)}, columns ${names.join(', ')}`,
      )
      if (isRefused) expect(values).toEqual([])
      if (rows !== undefined) expect([name, values.length, refused.length]).toEqual([name, rows, refusedRows])
      if (sum !== undefined) expect([name, Object.values(sums)]).toEqual([name, expect.arrayContaining([sum])])
      if (series !== undefined) expect(sums).toMatchObject(series)
      if (columns !== undefined) expect(names).toEqual(columns)
    }
    if (process.env.INTAKE_REPORT !== undefined) process.stdout.write(`${table.join('\n')}\n`)
  })
})
