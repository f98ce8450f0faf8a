import { Readable } from 'node:stream'
import { describe, expect, it } from '@jest/globals'
import { decodeText } from '../../src/parsers/encoding/decode-text.ts'

const csv = 'name,city\nZoë,Köln\n'
const bytesOf = (chunks: readonly number[][]) => chunks.map((chunk) => Uint8Array.from(chunk))
async function decode(chunks: readonly Uint8Array[], charset?: string): Promise<string> {
  let whole = ''
  for await (const text of decodeText(Readable.from(chunks), charset)) whole += text
  return whole
}
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
    expect(await decode([bytes], charset)).toBe(csv)
    expect(await decode(single(bytes), charset)).toBe(csv)
  })

  it('rejects an unknown charset', async () => {
    await expect(decode([Buffer.from('a,b\n')], 'klingon')).rejects.toMatchObject({
      code: 'unsupported_media_type',
      detail: 'The charset klingon is not supported',
    })
  })

  it('decodes bodies shorter than a byte order mark', async () => {
    for (const text of ['[]', '[', '']) expect(await decode([Buffer.from(text)])).toBe(text)
    expect(await decode([])).toBe('')
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
