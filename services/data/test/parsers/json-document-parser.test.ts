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

/** A document with a value at a path, and other members around it at every level. */
function within(path: readonly string[], value: unknown, others: Record<string, unknown>): unknown {
  const [name, ...rest] = path
  if (name === undefined) return value
  const around = Object.entries(others).filter(([other]) => other !== name)
  const half = around.length / 2
  return Object.fromEntries([...around.slice(0, half), [name, within(rest, value, others)], ...around.slice(half)])
}

describe('rows within a JSON document', () => {
  it('are what parsing the whole finds there, however it arrives', () => {
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

  it('come with the value that is watched, before or behind them', () => {
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

  it('are refused with a document that is cut off or has something too much, wherever that is', () => {
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

  it('cost only themselves where they are too large', () => {
    const text = `{"data":[{"a":1},{"a":"${'x'.repeat(300_000)}"},{"a":3}]}`
    const rows = parseInPieces(createJsonDocumentParser({ rowsPointer: '/data' }), text, [65_536])
    expect(valuesOf(rows)).toEqual([{ a: 1 }, 'element 2: is larger than 256 KiB', { a: 3 }])
    const one = parseInPieces(createJsonDocumentParser({}), `{"a":"${'x'.repeat(300_000)}"}`, [65_536])
    expect(invalidRowsOf(one)).toEqual([{ line: 1, reason: 'is larger than 256 KiB' }])
  })
})

it('turns a page into the same text, however it arrives', () => {
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
