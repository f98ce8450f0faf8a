import { describe, expect, it } from '@jest/globals'
import { decodeText } from '../../src/parsers/encoding/decode-text.ts'
import { parseBody, valuesOf } from '../support/parse.ts'

const csv = 'name,city\nZoë,Köln\n'
const expected = [{ name: 'Zoë', city: 'Köln' }]
const bytesOf = (chunks: readonly number[][]) => chunks.map((chunk) => Uint8Array.from(chunk))
const single = (bytes: Uint8Array) => bytesOf(Array.from(bytes, (byte) => [byte]))
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()

describe('decodeText', () => {
  it.each([
    ['UTF-8', Buffer.from(csv), undefined],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${csv}`), undefined],
    ['UTF-16 with a mark', Buffer.from(`\ufeff${csv}`, 'utf16le'), undefined],
    ['big-endian UTF-16 with a mark', utf16be(`\ufeff${csv}`), 'utf-16'],
    ['UTF-16 by parameter', Buffer.from(csv, 'utf16le'), 'utf-16'],
    ['Latin-1 by parameter', Buffer.from(csv, 'latin1'), 'iso-8859-1'],
  ])('decodes %s, as a whole and byte by byte', async (_, bytes, charset) => {
    expect(valuesOf(await parseBody('text/csv', [bytes], charset))).toEqual(expected)
    expect(valuesOf(await parseBody('text/csv', single(bytes), charset))).toEqual(expected)
  })

  it('rejects an unknown charset', async () => {
    await expect(parseBody('text/csv', ['a,b\n'], 'klingon')).rejects.toMatchObject({
      code: 'unsupported_media_type',
      detail: 'The charset klingon is not supported',
    })
  })

  it('decodes bodies shorter than a byte order mark', async () => {
    expect(await parseBody('application/json', ['[]'])).toEqual([])
    await expect(parseBody('application/json', ['['])).resolves.toMatchObject([{ reason: expect.any(String) }])
    await expect(parseBody('application/json', [])).rejects.toMatchObject({ code: 'malformed_body' })
  })

  it('reports a truncated body as malformed', async () => {
    const cut = Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
    const chunks = (async function* () {
      yield Buffer.from(csv)
      throw cut
    })()
    const text = decodeText(chunks, undefined)
    await expect(text.next()).rejects.toMatchObject({
      code: 'malformed_body',
      cause: cut,
    })
  })
  it('lets the event loop turn after every text when the body has already arrived', async () => {
    const chunks = (async function* () {
      for (let n = 0; n < 20; n++) yield Buffer.alloc(65_536, 'a')
    })()
    let turns = 0
    let isReading = true
    const countTurn = () => {
      turns += 1
      if (isReading) setImmediate(countTurn)
    }
    setImmediate(countTurn)
    for await (const text of decodeText(chunks, undefined)) expect(text).toHaveLength(65_536)
    isReading = false
    expect(turns).toBeGreaterThanOrEqual(20)
  })
})
