import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createHtmlParser } from '../../src/parsers/document/html-parser.ts'
import { createJsonDocumentParser } from '../../src/parsers/json/json-document-parser.ts'
import { invalidRowsOf, parseInPieces, valuesOf } from '../support/parse.ts'

const member = fc.jsonValue({ maxDepth: 3 })
const names = fc.constantFrom('a', 'items', 'x/y', 'm~n', 'quote " \\', 'ü', '')
const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 })
const pointer = (path: readonly string[]) =>
  path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** Returns a document with `value` at `path` and other members around it at every level. */
function within(path: readonly string[], value: unknown, others: Record<string, unknown>): unknown {
  const [name, ...rest] = path
  if (name === undefined) return value
  const around = Object.entries(others).filter(([other]) => other !== name)
  const half = around.length / 2
  return Object.fromEntries([...around.slice(0, half), [name, within(rest, value, others)], ...around.slice(half)])
}

describe('the JSON document parser', () => {
  it('finds the same rows as JSON.parse, however the text is chunked', () => {
    fc.assert(
      fc.property(
        fc.array(names, { maxLength: 3 }),
        fc.array(fc.dictionary(names, member)),
        fc.dictionary(fc.string(), member),
        fc.integer({ min: 0, max: 2 }),
        lengths,
        (path, rows, others, indent, pieces) => {
          const text = JSON.stringify(within(path, rows, others), null, indent)
          const reader = createJsonDocumentParser({ rowsPointer: pointer(path) })
          const expected = rows.map((row) => JSON.parse(JSON.stringify(row)))
          expect(JSON.stringify(valuesOf(parseInPieces(reader, text, pieces)))).toBe(JSON.stringify(expected))
        },
      ),
      { numRuns: 300 },
    )
  })

  it('captures a value before or after the rows', () => {
    fc.assert(
      fc.property(fc.string(), fc.boolean(), lengths, (cursor, isFirst, pieces) => {
        const beside: [string, unknown] = ['meta', { next: cursor, more: [cursor] }]
        const rows: [string, unknown] = ['data', [{ cursor }]]
        const text = JSON.stringify(Object.fromEntries(isFirst ? [beside, rows] : [rows, beside]))
        const reader = createJsonDocumentParser({ rowsPointer: '/data', capturePointer: '/meta/next' })
        expect(valuesOf(parseInPieces(reader, text, pieces))).toEqual([{ cursor }])
        expect(reader.captured()).toBe(cursor === '' ? null : cursor)
      }),
    )
  })

  it('rejects a document that is truncated or malformed at any position', () => {
    const text = '{ "a": [1, "x\\"]", null, {}], "data": [{"b": [1, 2]}, {"c": "]"}], "n": -1.5e3 }'
    for (let length = 0; length < text.length; length++) {
      const reader = createJsonDocumentParser({ rowsPointer: '/data' })
      expect(() => parseInPieces(reader, text.slice(0, length), [5])).toThrow(/cannot be read at line 1, character \d+/)
    }
    expect(valuesOf(parseInPieces(createJsonDocumentParser({ rowsPointer: '/data' }), text))).toEqual([
      { b: [1, 2] },
      { c: ']' },
    ])
    for (const bad of [
      '{"data":[],}',
      '{"data":[] "a":1}',
      '{data:[]}',
      '{"data":[],"a":01}',
      '{"data":[],"a":"\n"}',
      "{'data':[]}",
      '{"data":[]]',
      '{"data":[],"a":[1,]}',
      '{"data":[],"\\x":1}',
    ])
      expect(() => parseInPieces(createJsonDocumentParser({ rowsPointer: '/data' }), bad)).toThrow(
        /cannot be read at line/,
      )
  })

  it('rejects only the rows that are too large', () => {
    const text = `{"data":[{"a":1},{"a":"${'x'.repeat(300_000)}"},{"a":3}]}`
    const rows = parseInPieces(createJsonDocumentParser({ rowsPointer: '/data' }), text, [65_536])
    expect(valuesOf(rows)).toEqual([{ a: 1 }, 'element 2: is larger than 256 KiB', { a: 3 }])
    const single = parseInPieces(createJsonDocumentParser({}), `{"a":"${'x'.repeat(300_000)}"}`, [65_536])
    expect(invalidRowsOf(single)).toEqual([{ line: 1, reason: 'is larger than 256 KiB' }])
  })
})

it('the HTML parser returns the same text, however the page is chunked', () => {
  const pieces = [
    '<p>',
    '</p>',
    'one ',
    ' two',
    '<b>x</b>',
    '<br>',
    '<pre>\n a  b\n',
    '</pre>',
    '&amp;',
    '&nbsp;',
    '<nav>',
    '</nav>',
    '<td>',
    '<h1>',
    '</h1>',
    '<script>1<2</script>',
    '<title>t</title>',
    '<!-- c -->',
    '\n',
    '<div hidden>',
    '</div>',
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), lengths, (parts, sizes) => {
      const page = `x${parts.join('')}`
      const text = (by?: readonly number[]) =>
        valuesOf(parseInPieces(createHtmlParser({ toRow: (d) => ({ ...d }) }), page, by))
      expect(text(sizes)).toEqual(text())
    }),
    { numRuns: 300 },
  )
})
