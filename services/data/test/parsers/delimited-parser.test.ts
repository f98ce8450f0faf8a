import { describe, expect, it } from '@jest/globals'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { detectDelimiter } from '../../src/parsers/csv/csv-row.ts'
import { createDelimitedParser, type DelimitedRecord } from '../../src/parsers/csv/delimited-parser.ts'
import { maxRowBytes } from '../../src/parsers/row.ts'
import { invalidRowsOf, parseInPieces } from '../support/parse.ts'

const commas = { delimiter: ',', skippedLines: 0, usesCarriageReturns: false }
const read = (text: string, lengths?: readonly number[], layout: Partial<typeof commas> = {}) =>
  parseInPieces(createDelimitedParser({ ...commas, ...layout }), text, lengths)

/** Returns the cells of records, or the reasons of malformed ones. */
const cellsOf = (records: readonly DelimitedRecord[]) =>
  records.map((record) => ('reason' in record ? record.reason : record.cells))

const table = [
  ['a', 'b'],
  ['1', '2'],
]

describe('the parser of delimited text, given well-formed text', () => {
  it('keeps values as text, and counts lines', () => {
    expect(read('id,people\n007,12\n8,\n')).toEqual([
      { line: 1, cells: ['id', 'people'] },
      { line: 2, cells: ['007', '12'] },
      { line: 3, cells: ['8', ''] },
    ])
  })

  it.each([
    ['commas', 'a,b\n1,2\n', {}],
    ['semicolons', 'a;b\n1;2\n', { delimiter: ';' }],
    ['tabs', 'a\tb\n1\t2\n', { delimiter: '\t' }],
    ['CRLF', 'a,b\r\n1,2\r\n', {}],
    ['CR', 'a,b\r1,2\r', { usesCarriageReturns: true }],
    ['no newline at the end', 'a,b\n1,2', {}],
    ['CRLF, no newline at the end', 'a,b\r\n1,2\r', {}],
    ['quotes everywhere', '"a","b"\n"1","2"\n', {}],
    ['blank lines', '\n\na,b\n\n1,2\r\n\n', {}],
    ['lines to skip', 'Report\n"of, a day\na,b\n1,2\n', { skippedLines: 2 }],
  ])('reads a table with %s', (_, text, layout) => {
    for (const length of [1, 2, 3, 1000]) expect(cellsOf(read(text, [length], layout))).toEqual(table)
  })

  it('keeps quotes, delimiters and newlines within quotes, and counts their lines', () => {
    const text = 'a,b\r\n"say ""hi"", twice","two\r\nlines"\r\nx,y\r\n'
    expect(read(text).slice(1)).toEqual([
      { line: 2, cells: ['say "hi", twice', 'two\r\nlines'] },
      { line: 4, cells: ['x', 'y'] },
    ])
  })

  it('detects the delimiter outside quotes only', () => {
    expect(detectDelimiter('"a,b,c";d\n1;2\n')).toBe(';')
  })

  const cell = fc.string({ unit: fc.constantFrom('a', '1', ' ', ',', ';', '"', '\n', 'ü', '🦊'), maxLength: 6 })
  const quoted = (value: string) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)
  const tables = fc
    .integer({ min: 2, max: 5 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 12 }))

  it('returns the same rows as csv-parse, however the text is chunked', () => {
    fc.assert(
      fc.property(
        tables,
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        fc.boolean(),
        (rows, cuts, crlf) => {
          const names = (rows[0] ?? []).map((_, column) => `c${column}`)
          const newline = crlf ? '\r\n' : '\n'
          const text = [names, ...rows].map((row) => row.map(quoted).join(',')).join(newline) + newline
          expect(cellsOf(read(text, cuts))).toEqual(parse(text, { skip_empty_lines: true }))
        },
      ),
    )
  })
})

describe('the parser of delimited text, given malformed text', () => {
  it.each([
    ['a quote within a plain field', '1,x"y"', 'has a quote within a field that does not begin with one'],
    ['text after a quote', '"3"x,4', 'has text after a closing quote'],
    ['an unclosed quote', '"3,4', 'has text after a closing quote'],
  ])('rejects only the row with %s', (_, bad, reason) => {
    const text = `a,b\n1,2\n${bad}\n"5",6\n7,8\n`
    for (const length of [1, 5, 1000]) {
      const rows = read(text, [length])
      expect(invalidRowsOf(rows)).toEqual([{ line: 3, reason }])
      expect(cellsOf(rows).filter((cells) => typeof cells === 'object')).toEqual([...table, ['5', '6'], ['7', '8']])
    }
  })

  it('continues with the next line when a quote is never closed', () => {
    const rows = read('a,b\n1,2\n"3,4\n5,6\n7,8\n', [3])
    expect(invalidRowsOf(rows)).toEqual([{ line: 3, reason: 'opens a quote that is not closed' }])
    expect(rows.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5])
  })

  it.each([
    [
      'unclosed quotes',
      `${Array.from({ length: 50_000 }, (_, index) => `${index}`).join(',')}\n${'"\n'.repeat(100_000)}`,
    ],
    ['quotes within fields', `a\n${'x""\n'.repeat(100_000)}`],
  ])('reads %s in linear time', (_, text) => {
    const steps = countScannedCharacters(() => read(text, [65_536]))
    expect(steps / text.length).toBeLessThan(30)
  })

  it('keeps the rows after a quote that stays open beyond the row limit', () => {
    const many = Array.from({ length: 60_000 }, (_, index) => `${index},x\n`).join('')
    const rows = read(`a,b\n"0,x\n${many}`, [65_536])
    expect(invalidRowsOf(rows)).toEqual([
      { line: 2, reason: 'is larger than 256 KiB, or opens a quote that is not closed' },
    ])
    expect(rows).toHaveLength(60_002)
    expect(rows.at(-1)).toEqual({ line: 60_002, cells: ['59999', 'x'] })
  })

  it('skips a line beyond the row limit', () => {
    const long = 'y'.repeat(maxRowBytes * 3)
    const rows = read(`a,b\n${long},1\n5,6\n`, [65_536])
    expect(invalidRowsOf(rows)).toMatchObject([{ line: 2 }])
    expect(rows.at(-1)).toEqual({ line: 3, cells: ['5', '6'] })
  })

  it('reads the last row, whatever precedes it', () => {
    const piece = fc.constantFrom('a', ',', '"', '\n', '\r\n', '""', ';')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 1, max: 7 }), (pieces, cut) => {
        const text = `h1,h2\n${pieces.join('')}\nlast,row\n`
        const rows = read(text, [cut])
        expect(rows).toEqual(read(text))
        expect(rows.at(-1)).toEqual({ line: text.split('\n').length - 1, cells: ['last', 'row'] })
      }),
    )
  })
})

/** Counts the characters that string methods examine: a quadratic parser examines each of them many times. */
function countScannedCharacters(run: () => unknown): number {
  const { indexOf, charCodeAt } = String.prototype
  let count = 0
  const replace = (methods: Pick<string, 'indexOf' | 'charCodeAt'>) => Object.assign(String.prototype, methods)
  replace({
    indexOf(this: string, search: string, from = 0) {
      const found = indexOf.call(this, search, from)
      count += (found === -1 ? this.length : found) - from + 1
      return found
    },
    charCodeAt(this: string, index: number) {
      count++
      return charCodeAt.call(this, index)
    },
  })
  try {
    run()
  } finally {
    replace({ indexOf, charCodeAt })
  }
  return count
}
