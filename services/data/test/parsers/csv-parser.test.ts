import { describe, expect, it } from '@jest/globals'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { createCsvParser } from '../../src/parsers/csv/csv-parser.ts'
import { maxRowBytes } from '../../src/parsers/row.ts'
import { invalidRowsOf, parseInPieces, valuesOf } from '../support/parse.ts'

const read = (text: string, lengths?: readonly number[]) => parseInPieces(createCsvParser(), text, lengths)

describe('the CSV parser, given well-formed text', () => {
  it('takes names from the header and keeps values as text', () => {
    expect(read('id,people\n007,12\n8,\n')).toEqual([
      { line: 2, value: { id: '007', people: '12' } },
      { line: 3, value: { id: '8', people: '' } },
    ])
  })

  it.each([
    ['comma', 'a,b\n1,2\n'],
    ['semicolon, with commas in values', 'a;b\n1;2\n'],
    ['tab', 'a\tb\n1\t2\n'],
    ['CRLF', 'a,b\r\n1,2\r\n'],
    ['CR', 'a,b\r1,2\r'],
    ['no newline at the end', 'a,b\n1,2'],
    ['CRLF, no newline at the end', 'a,b\r\n1,2\r'],
    ['quotes everywhere', '"a","b"\n"1","2"\n'],
    ['blank lines', '\n\na,b\n\n1,2\r\n\n'],
    ['spaces around names', ' a , b \n1,2\n'],
  ])('reads a table with %s', (_, text) => {
    for (const length of [1, 2, 3, 1000]) expect(valuesOf(read(text, [length]))).toEqual([{ a: '1', b: '2' }])
  })

  it('keeps quotes, delimiters and newlines within quotes, and counts their lines', () => {
    const text = 'a,b\r\n"say ""hi"", twice","two\r\nlines"\r\nx,y\r\n'
    expect(read(text)).toEqual([
      { line: 2, value: { a: 'say "hi", twice', b: 'two\r\nlines' } },
      { line: 4, value: { a: 'x', b: 'y' } },
    ])
  })

  it('detects the delimiter outside quotes only', () => {
    expect(valuesOf(read('"a,b,c";d\n1;2\n'))).toEqual([{ 'a,b,c': '1', d: '2' }])
  })

  const cell = fc.string({ unit: fc.constantFrom('a', '1', ' ', ',', ';', '"', '\n', 'ü', '🦊'), maxLength: 6 })
  const quoted = (value: string) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)
  const table = fc
    .integer({ min: 2, max: 5 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 12 }))

  it('returns the same rows as csv-parse, however the text is chunked', () => {
    fc.assert(
      fc.property(
        table,
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        fc.boolean(),
        (rows, cuts, crlf) => {
          const names = (rows[0] ?? []).map((_, column) => `c${column}`)
          const newline = crlf ? '\r\n' : '\n'
          const text = [names, ...rows].map((row) => row.map(quoted).join(',')).join(newline) + newline
          const expected = parse(text, { columns: true, skip_empty_lines: true })
          expect(valuesOf(read(text, cuts))).toEqual(expected)
        },
      ),
    )
  })
})

describe('the CSV parser, given malformed text', () => {
  it.each([
    ['too few columns', '1', 'has 1 columns where the header has 2'],
    ['too many columns', '1,2,3', 'has 3 columns where the header has 2'],
    ['a quote within a plain field', '1,x"y"', 'has a quote within a field that does not begin with one'],
    ['text after a quote', '"3"x,4', 'has text after a closing quote'],
    ['an unclosed quote', '"3,4', 'has text after a closing quote'],
  ])('rejects only the row with %s', (_, bad, reason) => {
    const text = `a,b\n1,2\n${bad}\n"5",6\n7,8\n`
    for (const length of [1, 5, 1000]) {
      const rows = read(text, [length])
      expect(invalidRowsOf(rows)).toEqual([{ line: 3, reason }])
      expect(valuesOf(rows).filter((value) => typeof value === 'object')).toEqual([
        { a: '1', b: '2' },
        { a: '5', b: '6' },
        { a: '7', b: '8' },
      ])
    }
  })

  it('continues with the next line when a quote is never closed', () => {
    const rows = read('a,b\n1,2\n"3,4\n5,6\n7,8\n', [3])
    expect(invalidRowsOf(rows)).toEqual([{ line: 3, reason: 'opens a quote that is not closed' }])
    expect(rows.map(({ line }) => line)).toEqual([2, 3, 4, 5])
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
    expect(rows).toHaveLength(60_001)
    expect(rows.at(-1)).toEqual({ line: 60_002, value: { a: '59999', b: 'x' } })
  })

  it('skips a line beyond the row limit', () => {
    const long = 'y'.repeat(maxRowBytes * 3)
    const rows = read(`a,b\n${long},1\n5,6\n`, [65_536])
    expect(invalidRowsOf(rows)).toMatchObject([{ line: 2 }])
    expect(rows.at(-1)).toEqual({ line: 3, value: { a: '5', b: '6' } })
  })

  it.each([
    ['', 'it has no header row'],
    ['\n\n', 'it has no header row'],
    ['a,,c\n1,2,3\n', 'column 2 of its header row has no name'],
    ['a,b,a\n1,2,3\n', 'its header row names the column "a" twice'],
    ['a,__proto__\n1,2\n', 'the name of column 2 in its header row cannot be used'],
    ['\u0089PNG\0\n', 'the name of column 1 in its header row cannot be used'],
    ['[{"a":1}]\n', 'its header row cannot be read: it has a quote within a field that does not begin with one'],
    ['"a,b\n1,2\n', 'its header row cannot be read: it opens a quote that is not closed'],
  ])('rejects the whole text when it is %j', (text, reason) => {
    expect(() => read(text)).toThrow(
      expect.objectContaining({ code: 'malformed_body', detail: `The CSV cannot be read: ${reason}` }),
    )
  })

  it('reads the last row, whatever precedes it', () => {
    const piece = fc.constantFrom('a', ',', '"', '\n', '\r\n', '""', ';')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 1, max: 7 }), (pieces, cut) => {
        const text = `h1,h2\n${pieces.join('')}\nlast,row\n`
        const rows = read(text, [cut])
        expect(rows).toEqual(read(text))
        expect(rows.at(-1)).toEqual({ line: text.split('\n').length - 1, value: { h1: 'last', h2: 'row' } })
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
