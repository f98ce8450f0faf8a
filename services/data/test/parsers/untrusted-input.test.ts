import { describe, expect, it } from '@jest/globals'
import { prepareRow } from '../../src/ingest/batch.ts'
import { createRowOrdinals } from '../../src/ingest/row-ordinals.ts'
import { gunzipIfCompressed } from '../../src/parsers/encoding/gunzip.ts'
import { createNdjsonParser } from '../../src/parsers/json/ndjson-parser.ts'
import { parseXml } from '../../src/providers/s3/parse-xml.ts'

describe('deeply nested input', () => {
  it('rejects only its own row', () => {
    const depth = 100_000
    const [row] = createNdjsonParser().write(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}\n`)
    if (row === undefined) throw new Error('the row was not parsed')
    expect(prepareRow(row, {}, { ordinals: createRowOrdinals(() => new Error('too many rows')) })).toMatchObject({
      badRow: { line: 1, reason: 'is nested deeper than 100 levels' },
    })
  })

  it('is rejected in XML, closed or not', () => {
    const depth = 2_000_000
    expect(parseXml('<a>'.repeat(depth))).toBeUndefined()
    expect(parseXml('<a>'.repeat(depth) + '</a>'.repeat(depth))).toBeUndefined()
    expect(parseXml(`<a>${'<b/>'.repeat(depth)}</a>`)).toBeUndefined()
    expect(parseXml('<a><b>c</b></a>')?.children[0]?.text).toBe('c')
  })
})

describe('an endless document', () => {
  it('is read up to the size limit', async () => {
    let taken = 0
    async function* endless() {
      for (;;) yield Buffer.alloc(65_536, 'a')
    }
    const read = async () => {
      for await (const { length } of gunzipIfCompressed(endless(), 1_048_576)) {
        taken += length
        if (taken > 2_097_152) throw new Error('read beyond the limit')
      }
    }
    await expect(read()).rejects.toMatchObject({ code: 'payload_too_large', detail: 'It is larger than 1 MiB' })
    expect(taken).toBe(1_048_576)
  })
})
