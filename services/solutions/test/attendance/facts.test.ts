import { describe, expect, it } from '@jest/globals'
import { type FactTable, mergeFacts, packFacts, toFactTable, unpackFacts } from '../../src/attendance/counting/facts.ts'
import { randomFrom } from '../privacy/random-lattice.ts'

type Row = { fact: number[]; count: number }

/** Returns the rows of a table with their counts, in its order. */
const rowsOf = ({ columns, counts }: FactTable): [string, number][] =>
  Array.from(counts, (count, at) => [columns.map((column) => column[at]).join(','), count])

/** Adds up rows in a plain multiset. */
function multisetOf(rows: readonly Row[]): Map<string, number> {
  const multiset = new Map<string, number>()
  for (const { fact, count } of rows) multiset.set(`${fact}`, (multiset.get(`${fact}`) ?? 0) + count)
  return new Map([...multiset].filter(([, count]) => count !== 0))
}

/** Returns rows of few different facts, of which some are taken away. */
const madeRows = (random: () => number, length: number): Row[] =>
  Array.from({ length }, () => ({
    fact: [0, 0, 0, 0, 0].map(() => Math.floor(random() * 3) - 1),
    count: random() < 0.4 ? -1 : 1 + Math.floor(random() * 2),
  }))

const isSorted = (table: FactTable): boolean => {
  const rows = Array.from(table.counts, (_, at) => table.columns.map((column) => column[at] ?? 0))
  return rows.every((row, at) => {
    const before = rows[at - 1]
    const differs = row.findIndex((value, column) => value !== before?.[column])
    return before === undefined || (differs >= 0 && (row[differs] ?? 0) > (before[differs] ?? 0))
  })
}

describe('tables of facts', () => {
  it('add up as a multiset does when made and merged, in any number of parts', () => {
    const random = randomFrom(7)
    for (let round = 0; round < 200; round++) {
      const parts = Array.from({ length: Math.floor(random() * 6) }, () => madeRows(random, Math.floor(random() * 40)))
      const merged = mergeFacts(parts.map((rows) => toFactTable('badge_events', rows)))
      expect(new Map(rowsOf(merged))).toEqual(multisetOf(parts.flat()))
      expect(isSorted(merged)).toBe(true)
    }
  })

  it('keep facts that are taken away before they are added, so that the order of segments does not matter', () => {
    const taken = toFactTable('attendance_days', [{ fact: [1, 2, -1], count: -1 }])
    const added = toFactTable('attendance_days', [{ fact: [1, 2, -1], count: 1 }])
    expect(rowsOf(taken)).toEqual([['1,2,-1', -1]])
    expect(rowsOf(mergeFacts([taken, added]))).toEqual([])
    expect(rowsOf(mergeFacts([taken, added, added]))).toEqual([['1,2,-1', 1]])
  })

  it('are the same after they were packed and unpacked', () => {
    const random = randomFrom(8)
    for (const length of [0, 1, 2, 500]) {
      const table = toFactTable('badge_events', madeRows(random, length))
      expect(rowsOf(unpackFacts(packFacts(table)))).toEqual(rowsOf(table))
    }
    const far = toFactTable('people', [{ fact: [2 ** 31 - 1, -1, 3, -(2 ** 31), 47_481], count: -2 }])
    expect(rowsOf(unpackFacts(packFacts(far)))).toEqual([['2147483647,-1,3,-2147483648,47481', -2]])
  })

  it('are refused when cut', async () => {
    const { zstdCompressSync, zstdDecompressSync } = await import('node:zlib')
    const bytes = zstdDecompressSync(packFacts(toFactTable('attendance_days', [{ fact: [1, 2, 3], count: 1 }])))
    expect(() => unpackFacts(zstdCompressSync(bytes.subarray(0, -4)))).toThrow('were cut')
    expect(() => unpackFacts(zstdCompressSync(Int32Array.of(2, 3, 0)))).toThrow('version 2')
  })
})
