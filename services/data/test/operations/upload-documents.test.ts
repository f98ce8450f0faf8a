import { afterAll, describe, expect, it } from '@jest/globals'
import { startDataService } from '../support/service.ts'

const service = await startDataService()
afterAll(() => service.stop())

const recordsOf = (id: string) => service.listAll(`/v1/data/sources/${id}/records`)

const send = (id: string, contentType: string, rawBody: string | Uint8Array, query = '') =>
  service.request('POST', `/v1/data/sources/${id}/records${query}`, {
    rawBody,
    headers: { 'content-type': contentType },
  })

describe('an uploaded document', () => {
  it.each<[string, string | Uint8Array, string, Record<string, unknown>]>([
    [
      'text/plain',
      '\ufeffRooms open at nine.\r\nBring a key.',
      '',
      { title: null, url: null, data: { text: 'Rooms open at nine.\nBring a key.' } },
    ],
    [
      'text/plain; charset=windows-1252',
      Buffer.from('Caf\xe9 \x80', 'latin1'),
      '?title=Hours',
      { title: 'Hours', data: { title: 'Hours', text: 'Café €' } },
    ],
    [
      'text/markdown',
      'Hours\n=====\n\nNine',
      '?url=https://example.com/h',
      { title: 'Hours', url: 'https://example.com/h', data: { text: 'Hours\n=====\n\nNine' } },
    ],
    [
      'text/html',
      Buffer.from(
        '<meta charset=latin1><title>Caf\xe9</title><link rel=canonical href=https://example.com/x><nav>no</nav><h1>One</h1>two',
        'latin1',
      ),
      '',
      { title: 'Café', url: 'https://example.com/x', data: { headings: ['One'], text: 'One\ntwo' } },
    ],
  ])('of type %s becomes one record: %j', async (contentType, body, query, record) => {
    const id = await service.createSource()
    const response = await send(id, contentType, body, query)
    expect([response.status, response.body.data]).toMatchObject([200, { counts: { seen: 1, created: 1, failed: 0 } }])
    expect(await recordsOf(id)).toMatchObject([{ ...record, key: expect.stringMatching(/^[0-9a-f]{64}$/) }])
  })

  it('replaces the record of its key and is found by its text', async () => {
    const id = await service.createSource()
    await send(id, 'text/plain', 'The gardener comes on Monday', '?key=hours')
    const again = await send(
      id,
      'text/html',
      '<title>Other</title><p>The locksmith comes on Tuesday',
      '?key=hours&title=Visits',
    )
    expect(again.body.data).toMatchObject({ counts: { created: 0, updated: 1 }, record_count: 1 })
    expect(await recordsOf(id)).toMatchObject([{ key: 'hours', title: 'Visits' }])
    const found = async (word: string) => (await service.get(`/v1/data/search?q=${word}`)).body.data.length
    expect([await found('locksmith'), await found('gardener')]).toEqual([1, 0])
  })

  it('is stored in the configured fields', async () => {
    const config = { key: 'id', title_field: 'label', text_field: 'body', url_field: 'at' }
    const id = await service.createSource({ config })
    await send(id, 'text/plain', 'words', '?key=a&title=A&url=https://example.com/a')
    expect(await recordsOf(id)).toMatchObject([
      {
        key: 'a',
        title: 'A',
        url: 'https://example.com/a',
        data: { id: 'a', label: 'A', body: 'words', at: 'https://example.com/a' },
      },
    ])
  })

  it.each([
    ['without the configured key', 'text/plain', 'words', 'has no value for the key field "id"'],
    ['too large', 'text/plain', 'words '.repeat(60_000), 'is larger than 256 KiB'],
    ['too large as JSON', 'text/plain', '\u0001'.repeat(100_000), 'is larger than 256 KiB'],
    ['with no text', 'text/html', '<script>words</script>', 'has no text'],
    [
      'not in its declared charset',
      'text/plain',
      Buffer.from([0x43, 0xe9]),
      'has bytes that are not valid in its charset, or the character U+FFFD',
    ],
  ])('becomes a bad row: %s', async (what, contentType, body, reason) => {
    const id = await service.createSource({ config: { key: 'id' } })
    const response = await send(id, contentType, body, what.startsWith('without') ? '' : '?key=a')
    expect(response.body.data).toMatchObject({
      counts: { seen: 1, created: 0, failed: 1 },
      bad_rows: [{ line: 1, reason }],
      record_count: 0,
    })
  })

  it.each([
    ['?key=a', 'text/csv', '?key'],
    ['?title=a', 'application/json', '?title'],
    ['?other=a', 'text/plain', expect.anything()],
  ])('is required for %s, which is rejected for %s', async (query, contentType, pointer) => {
    const id = await service.createSource()
    const response = await send(id, contentType, '[]', query)
    expect(response.body).toMatchObject({ status: 400, code: 'validation_failed', errors: [{ pointer }] })
  })
})

describe('an uploaded table', () => {
  const utf16be = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()

  it.each<[string, string, string | Uint8Array]>([
    ['windows-1252', 'text/csv; charset=windows-1252', Buffer.from('id,v\n1,Caf\xe9 \x80\n', 'latin1')],
    ['UTF-16 by its mark', 'text/csv', Buffer.from('\ufeffid,v\n1,Café €\n', 'utf16le')],
    ['UTF-16 by its mark, whatever is said', 'text/csv; charset=utf-8', utf16be('id,v\n1,Café €\n')],
    ['UTF-8 with a mark', 'text/csv', '\ufeffid,v\n1,Café €\n'],
    ['semicolons', 'text/csv', 'id;v\n1;Café €\n'],
    ['tabs', 'text/csv', 'id\tv\n1\tCafé €\n'],
    ['quotes and CRLF', 'text/csv', '"id","v"\r\n"1","Café €"\r\n'],
    [
      'NDJSON in windows-1252',
      'application/x-ndjson; charset=windows-1252',
      Buffer.from('{"id":"1","v":"Caf\xe9 \x80"}', 'latin1'),
    ],
  ])('is decoded: %s', async (_, contentType, body) => {
    const id = await service.createSource({ config: { key: 'id' } })
    expect((await send(id, contentType, body)).status).toBe(200)
    expect((await recordsOf(id)).map(({ data }) => data)).toEqual([{ id: expect.anything(), v: 'Café €' }])
  })

  it('keeps newlines and quotes within fields', async () => {
    const id = await service.createSource()
    await send(id, 'text/csv', 'a,b\r\n"one\r\n""two"", three",x\r\n')
    expect((await recordsOf(id)).map(({ data }) => data)).toEqual([{ a: 'one\r\n"two", three', b: 'x' }])
  })
})
