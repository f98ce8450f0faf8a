import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createJsonArrayParser } from '../../src/parsers/json/json-array-parser.ts'
import { createNdjsonParser } from '../../src/parsers/json/ndjson-parser.ts'
import { maxRowBytes } from '../../src/parsers/row.ts'
import { invalidRowsOf, parseInPieces, valuesOf } from '../support/parse.ts'

const readArray = (text: string, lengths?: readonly number[]) => parseInPieces(createJsonArrayParser(), text, lengths)
const readLines = (text: string, lengths?: readonly number[]) => parseInPieces(createNdjsonParser(), text, lengths)

const objects = fc.array(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 }), { maxLength: 8 })
/** Removes differences that JSON text cannot express: `-0` becomes `0`. */
const parsed = (value: unknown) => JSON.parse(JSON.stringify(value))

describe('the JSON array parser', () => {
  it('reads all rows, however the text is chunked and indented', () => {
    fc.assert(
      fc.property(objects, fc.integer({ min: 0, max: 4 }), fc.integer({ min: 1, max: 9 }), (rows, indent, cut) => {
        expect(valuesOf(readArray(JSON.stringify(rows, null, indent), [cut]))).toEqual(parsed(rows))
      }),
    )
  })

  it('reports line and element number of each row', () => {
    expect(readArray('[\n  {"a": 1},\n\n  {"a":\n 2}, {"a": "]\\"},{"}\n]\n')).toEqual([
      { line: 2, element: 1, value: { a: 1 } },
      { line: 4, element: 2, value: { a: 2 } },
      { line: 5, element: 3, value: { a: ']"},{' } },
    ])
  })

  it.each([
    ['not an object', '[{"a":1},[2],{"a":3}]', 'element 2: is not a JSON object'],
    ['a literal', '[{"a":1}, null ,{"a":3}]', 'element 2: is not a JSON object'],
    ['not a value', '[{"a":1},nope,{"a":3}]', 'element 2: is not valid JSON'],
    ['malformed', '[{"a":1},{"a":},{"a":3}]', 'element 2: is not valid JSON'],
    ['missing', '[{"a":1},,{"a":3}]', 'element 2: is not valid JSON'],
    ['unquoted', '[{"a":1},{a:2},{"a":3}]', 'element 2: is not valid JSON'],
    ['repeating a name', '[{"a":1},{"a":2,"a":2},{"a":3}]', 'element 2: has "a" more than once in one object'],
    [
      'repeating a nested name',
      '[{"a":1},{"b":{"\\u0061":2,"a":3}},{"a":3}]',
      'element 2: has "a" more than once in one object',
    ],
    ['too large', `[{"a":1},{"a":"${'x'.repeat(maxRowBytes)}"},{"a":3}]`, 'element 2: is larger than 256 KiB'],
  ])('rejects only the element that is %s', (_, text, reason) => {
    for (const length of [text.length, 10_000, 7]) {
      const rows = readArray(text, [length])
      expect(invalidRowsOf(rows)).toEqual([{ line: 1, reason }])
      expect(rows.filter((row) => 'value' in row)).toMatchObject([{ element: 1 }, { element: 3 }])
    }
  })

  it.each([
    ['[{"a":1},{"a":', [{ line: 1, reason: 'element 2: is not valid JSON' }]],
    ['[{"a":1}\n', [{ line: 2, reason: 'the array ends before it is closed' }]],
    ['[{"a":1},', [{ line: 1, reason: 'the array ends before it is closed' }]],
    ['[{"a":1}]\n]', [{ line: 2, reason: 'text after the end of the array' }]],
    ['[{"a":1},]', [{ line: 1, reason: 'element 2: is not valid JSON' }]],
  ])('keeps the complete elements of %j and reports the fault', (text, refusals) => {
    expect(invalidRowsOf(readArray(text, [4]))).toEqual(refusals)
    expect(valuesOf(readArray(text))[0]).toEqual({ a: 1 })
  })

  it.each([
    ['', 'The body is empty; it must be a JSON array'],
    ['{"a":1}', expect.stringContaining('must be an array')],
    ['a,b\n1,2\n', expect.stringContaining('must be an array')],
    ['[nonsense', 'The body is not a JSON array: line 1 is not valid JSON'],
  ])('rejects the whole text when it is %j', (text, detail) => {
    expect(() => readArray(text)).toThrow(expect.objectContaining({ code: 'malformed_body', detail }))
  })

  it('accepts an empty array', () => {
    expect(readArray(' [ ] ')).toEqual([])
  })
})

describe('the NDJSON parser', () => {
  it('reads all rows, however the text is chunked', () => {
    fc.assert(
      fc.property(objects, fc.integer({ min: 1, max: 9 }), fc.boolean(), (rows, cut, last) => {
        const text = rows.map((row) => JSON.stringify(row)).join('\n') + (last ? '\n' : '')
        expect(valuesOf(readLines(text, [cut]))).toEqual(parsed(rows))
      }),
    )
  })

  it('rejects only the lines that are malformed, not objects or too large', () => {
    const text = `{"a":1}\r\n\n{"a":\n[2]\n{"a":"${'x'.repeat(maxRowBytes * 2)}"}\n{"a":3}`
    for (const length of [text.length, 9000]) {
      const rows = readLines(text, [length])
      expect(rows.map((row) => ('reason' in row ? [row.line, row.reason] : [row.line, row.value]))).toMatchObject([
        [1, { a: 1 }],
        [3, 'is not valid JSON'],
        [4, 'is not a JSON object'],
        [5, 'is larger than 256 KiB'],
        [6, { a: 3 }],
      ])
    }
  })

  it('rejects the whole text when no line is JSON', () => {
    expect(() => readLines('\na,b\n1,2,3\n')).toThrow(
      expect.objectContaining({ code: 'malformed_body', detail: 'The body is not NDJSON: line 2 is not valid JSON' }),
    )
  })

  it('returns no rows for blank lines', () => {
    expect(readLines('\n \n')).toEqual([])
  })
})

describe('numbers in JSON', () => {
  it('become text when a double cannot hold them exactly', () => {
    const text =
      '[{"a":12345678901234567890,"b":-9007199254740993,"b2":9007199254740992,"c":1e400,"d":9007199254740991,"e":0.1234567890123456}]'
    expect(valuesOf(readArray(text))).toEqual([
      {
        a: '12345678901234567890',
        b: '-9007199254740993',
        b2: 9007199254740992,
        c: '1e400',
        d: 9007199254740991,
        e: 0.1234567890123456,
      },
    ])
  })

  it('do not exhaust the stack when they are deeply nested', () => {
    const deep = `${'['.repeat(100_000)}12345678901234567890${']'.repeat(100_000)}`
    expect(readLines(`{"a":${deep}}`)).toMatchObject([{ line: 1, value: { a: expect.any(Array) } }])
  })
})
