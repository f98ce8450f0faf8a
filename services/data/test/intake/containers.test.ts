import { gzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { strToU8, zipSync } from 'fflate'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { createValueReader, parquetParsers } from '../../src/intake/parquet/parquet-values.ts'
import { TimeCell } from '../../src/intake/raw-table.ts'
import { readTable } from './read-table.ts'
import { writeWorkbook } from './write-workbook.ts'

const csv = 'room;people\nA;1.386,5\nB;7\n'
const rows = [
  { room: 'A', people: 1386.5 },
  { room: 'B', people: 7 },
]
const workbook = writeWorkbook([
  {
    name: 'S',
    rows: [
      ['room', 'people'],
      ['A', 1386.5],
      ['B', 7],
    ],
  },
])
const zip = (files: Record<string, Uint8Array | string>) =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [name, typeof content === 'string' ? strToU8(content) : content]),
    ),
  )

describe('a compressed file', () => {
  it.each([
    ['gzip', gzipSync(csv)],
    ['gzip twice', gzipSync(gzipSync(csv))],
    ['zip', zip({ 'data/counts.csv': csv, '__MACOSX/counts.csv': 'x', '.DS_Store': 'x' })],
    ['a workbook in gzip', gzipSync(workbook)],
    ['a workbook in zip', zip({ 'counts.xlsx': workbook })],
    ['gzip in zip', zip({ 'counts.csv.gz': gzipSync(csv) })],
  ])('is read when it is %s', async (_, content) => {
    expect((await readTable(content)).values).toEqual(rows)
  })

  it.each([
    [
      'an archive of several files',
      zip({ 'a.csv': csv, 'b.csv': csv }),
      'The archive has 2 files: a.csv, b.csv. Send one of them',
    ],
    ['an empty archive', zip({}), 'has no files'],
    ['a Word document', zip({ '[Content_Types].xml': '', 'word/document.xml': '' }), 'is a Word document'],
    ['archives within archives', zip({ a: zip({ b: zip({ c: zip({ d: csv }) }) }) }), 'an archive within archives'],
    ['a bomb', zip({ 'a.csv': new Uint8Array(20_000_000) }), 'unfolds to more than 250 times its size'],
    ['a PDF', Buffer.from('%PDF-1.7 x'), 'is a PDF document'],
    ['an RTF document', Buffer.from('{\\rtf1 day;people\\par}'), 'is an RTF document'],
    ['a SYLK spreadsheet', Buffer.from('ID;PWXL;N;E\nC;Y1;X1;K"day"\n'), 'save it as .xlsx'],
    ['a table of HTML', Buffer.from('<table><tr><td>day</td></tr></table>'), 'save it as .xlsx'],
    ['a web archive', Buffer.from('MIME-Version: 1.0\n\n<html><table></table></html>'), 'save it as .xlsx'],
    [
      'a spreadsheet of XML',
      Buffer.from('<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>'),
      'save it as .xlsx',
    ],
    [
      'text of Python',
      Buffer.from("{'day': '2026-01-05', 'people': 1}\n{'day': '2026-01-06', 'people': 2}"),
      'an array',
    ],
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'save it as .xlsx'],
  ])('is refused when it is %s', async (_, content, detail) => {
    await expect(readTable(content)).rejects.toMatchObject({
      code: 'malformed_body',
      detail: expect.stringContaining(detail),
    })
  })

  it('is refused when a byte was changed, or a name occurs twice', async () => {
    const stored = Buffer.from(zipSync({ 'a.csv': [strToU8(csv), { level: 0 }] }))
    stored.write('9', stored.indexOf('1.386'))
    await expect(readTable(stored)).rejects.toMatchObject({ detail: expect.stringContaining('checksum') })
    const twice = Buffer.from(zip({ 'a.csv': csv, 'b.csv': csv }))
    for (let at = twice.indexOf('b.csv'); at >= 0; at = twice.indexOf('b.csv')) twice.write('a', at)
    await expect(readTable(twice)).rejects.toMatchObject({ detail: 'The archive has the file a.csv twice' })
  })

  it('is refused when it is larger than its limit', async () => {
    await expect(readTable(gzipSync(csv.repeat(1000)), { maxBytes: 1000 })).rejects.toMatchObject({
      code: 'payload_too_large',
    })
    await expect(readTable(zip({ a: csv.repeat(1000) }), { maxBytes: 1000 })).rejects.toMatchObject({
      code: 'payload_too_large',
    })
  })
})

describe('a Parquet file', () => {
  it('is read with its types', async () => {
    const columnData = [
      { name: 'room', data: ['A', '10115'], type: 'STRING' as const },
      { name: 'people', data: [12.5, null], type: 'DOUBLE' as const },
      { name: 'count', data: [7n, 9_007_199_254_740_993n], type: 'INT64' as const },
      { name: 'share', data: [0.1, 0.25], type: 'FLOAT' as const },
      {
        name: 'at',
        data: [new Date('2024-01-31T08:00:00.250Z'), new Date('2024-02-01T00:00:00Z')],
        type: 'TIMESTAMP' as const,
      },
      { name: '__proto__', data: [true, false], type: 'BOOLEAN' as const },
    ]
    const { values, format } = await readTable(new Uint8Array(parquetWriteBuffer({ columnData })))
    expect(values.map((value) => Object.entries(value))).toEqual([
      [
        ['room', 'A'],
        ['people', 12.5],
        ['count', 7],
        ['share', 0.1],
        ['at', expect.stringMatching(/^2024-01-31T08:00:00\.250?Z?$/)],
        ['__proto__', true],
      ],
      [
        ['room', '10115'],
        ['people', null],
        ['count', '9007199254740993'],
        ['share', 0.25],
        ['at', expect.stringMatching(/^2024-02-01T00:00:00Z?$/)],
        ['__proto__', false],
      ],
    ])
    expect(format).toMatchObject({ type: 'parquet', columns: { at: { type: 'timestamp' } } })
  })

  it('is read with its types when it has the newer annotations only', async () => {
    const decimal = { type: 'DECIMAL' as const, precision: 9, scale: 2 }
    const columnData = [
      { name: 'hours', data: [1_234, -5] },
      { name: 'day', data: [20_458, 20_459] },
    ]
    const schema = [
      { name: 'root', num_children: 2 },
      { name: 'hours', type: 'INT32' as const, logical_type: decimal },
      { name: 'day', type: 'INT32' as const, logical_type: { type: 'DATE' as const } },
    ]
    expect((await readTable(new Uint8Array(parquetWriteBuffer({ columnData, schema })))).values).toEqual([
      { hours: 12.34, day: '2026-01-05' },
      { hours: -0.05, day: '2026-01-06' },
    ])
  })

  it.each([
    ['parquet-mr version 1.13.1 (build db4183109d5b734ec5930d870cdae161e408ddba)', '2026-01-05T08:00:00Z'],
    ['impala version 3.4.0-RELEASE', '2026-01-05T08:00:00'],
    [undefined, '2026-01-05T08:00:00'],
  ])('has times of the type INT96 in UTC if its writer states them so: %s', (writer, text) => {
    const value = parquetParsers.timestampFromNanoseconds?.(BigInt(Date.UTC(2026, 0, 5, 8)) * 1_000_000n)
    expect(createValueReader({ name: 'at', type: 'INT96' }, writer)(value)).toEqual(new TimeCell(text))
  })

  it('is refused when it is cut', async () => {
    const whole = new Uint8Array(parquetWriteBuffer({ columnData: [{ name: 'a', data: ['x', 'y'], type: 'STRING' }] }))
    await expect(readTable(whole.subarray(0, whole.length - 9))).rejects.toMatchObject({ code: 'malformed_body' })
  })
})
