import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { queryAsWorker } from '../support/database.ts'
import { startDataService, streamOf } from '../support/service.ts'

const service = await startDataService()
afterAll(() => service.stop())

const csv = 'text/csv'
const ndjson = 'application/x-ndjson'
const json = 'application/json'

const sourceOf = async (id: string) => (await service.get(`/v1/data/sources/${id}`)).body.data
const dataOf = async (id: string) => (await service.listAll(`/v1/data/sources/${id}/records`)).map(({ data }) => data)
const counts = (seen: number, created = seen, updated = 0, failed = 0) => ({
  seen,
  created,
  updated,
  deleted: 0,
  failed,
})

describe('an upload', () => {
  it.each([
    ['CSV', csv, 'id,people,at\na,12,2026-01-05T09:00:00Z\nb,,2026-01-05T10:00:00Z\n', [12, null]],
    [
      'CSV in UTF-16',
      `${csv}; charset=utf-16`,
      Buffer.from('id;people;at\na;12;2026-01-05\nb;;2026-01-06\n', 'utf16le'),
      [12, null],
    ],
    [
      'NDJSON',
      ndjson,
      '{"id":"a","people":12,"at":"2026-01-05"}\n{"id":"b","people":null,"at":"2026-01-06"}',
      [12, null],
    ],
    [
      'JSON',
      json,
      '[{"id":"a","people":12,"at":"2026-01-05"}, {"id":"b","people":null,"at":"2026-01-06"}]',
      [12, null],
    ],
  ])('of %s is stored, counted and typed', async (_, contentType, body, people) => {
    const id = await service.createSource({ config: { key: 'id' } })
    const response = await service.upload(id, contentType, body)
    expect([response.status, response.body.data]).toEqual([
      200,
      { data_source_id: id, counts: counts(2), bad_rows: [], record_count: 2 },
    ])
    const records = await service.listAll(`/v1/data/sources/${id}/records`)
    expect(records.map(({ key, data }) => [key, data.people])).toEqual([
      ['b', people[1]],
      ['a', people[0]],
    ])
    expect(await sourceOf(id)).toMatchObject({
      record_count: 2,
      last_synced_at: expect.any(String),
      schema: [
        { name: 'id', type: 'string' },
        { name: 'people', type: 'number' },
        { name: 'at', type: 'timestamp' },
      ],
    })
  })

  it('creates records that can be read and found by key', async () => {
    const id = await service.createSource({ config: { key: 'room', title_field: 'label', url_field: 'link' } })
    await service.upload(id, csv, 'room,label,link\nr1,North,https://example.com/r1\nr2,South,ftp://x\n')
    const [found] = (await service.get(`/v1/data/sources/${id}/records?key=r1`)).body.data
    expect(found).toEqual({
      record_id: expect.stringMatching(/^rec_/),
      data_source_id: id,
      key: 'r1',
      data: { room: 'r1', label: 'North', link: 'https://example.com/r1' },
      title: 'North',
      url: 'https://example.com/r1',
      created_at: expect.any(String),
      updated_at: found.created_at,
    })
    expect((await service.get(`/v1/data/records/${found.record_id}`)).body.data).toEqual(found)
  })

  it('keeps the order of rows over several batches', async () => {
    const id = await service.createSource({ config: { key: 'n' } })
    const body = `n\n${Array.from({ length: 1_100 }, (_, index) => index).join('\n')}`
    expect((await service.upload(id, csv, body)).body.data.record_count).toBe(1_100)
    const keys = (await service.listAll(`/v1/data/sources/${id}/records`)).map(({ key }) => Number(key))
    expect(keys).toEqual(Array.from({ length: 1_100 }, (_, index) => 1_099 - index))
  })
})

describe('a repeated upload', () => {
  it('creates, updates or keeps records by key', async () => {
    const id = await service.createSource({ config: { key: 'id' } })
    await service.upload(id, csv, 'id,v\na,1\nb,2\nc,3\n')
    const [before] = (await service.get(`/v1/data/sources/${id}/records?key=a`)).body.data
    const response = await service.upload(id, csv, 'id,v\na,1\nb,20\nd,4\n')
    expect(response.body.data).toMatchObject({ counts: counts(3, 1, 1), record_count: 4 })
    const records = await service.listAll(`/v1/data/sources/${id}/records`)
    expect(Object.fromEntries(records.map(({ key, data }) => [key, data.v]))).toEqual({
      a: 1,
      b: 20,
      c: 3,
      d: 4,
    })
    expect(records.find(({ key }) => key === 'a')).toEqual(before)
  })

  it('identifies rows by their content when no key is configured', async () => {
    const id = await service.createSource()
    await service.upload(id, json, '[{"a":1,"b":2},{"a":2,"b":2}]')
    const again = await service.upload(id, json, '[{"b":2,"a":1},{"a":3}]')
    expect(again.body.data).toMatchObject({ counts: counts(2, 1), record_count: 3 })
  })

  it('counts each row of a key and keeps the last one', async () => {
    const id = await service.createSource({ config: { key: 'id' } })
    const first = await service.upload(id, csv, 'id,v\na,1\na,2\na,2\nb,1\na,3\n')
    expect(first.body.data).toMatchObject({ counts: counts(5, 2, 2), record_count: 2 })
    // Two changes, although the record ends as it began.
    const second = await service.upload(id, csv, 'id,v\na,4\na,3\n')
    expect(second.body.data).toMatchObject({ counts: counts(2, 0, 2), record_count: 2 })
    expect(await dataOf(id)).toEqual([
      { id: 'b', v: 1 },
      { id: 'a', v: 3 },
    ])
  })

  it('applies a changed config to its records', async () => {
    const id = await service.createSource({ config: { key: 'id' } })
    await service.upload(id, csv, 'id,label\na,North\n')
    await service.request('PATCH', `/v1/data/sources/${id}`, { body: { config: { title_field: 'label' } } })
    expect((await service.upload(id, csv, 'id,label\na,North\n')).body.data.counts).toEqual(counts(1, 0, 1))
    expect(await service.listAll(`/v1/data/sources/${id}/records`)).toMatchObject([{ title: 'North' }])
  })
})

describe('bad rows', () => {
  const long = 'x'.repeat(300_000)

  it.each([
    [
      'CSV',
      csv,
      `id,v\na,1\nb\n,3\nc,1,2\nd,"x"y\ne,${long}\nf,"a\u0000b"\ng,2\n`,
      [
        [3, 'has 1 columns where the header has 2'],
        [4, 'has no value for the key field "id"'],
        [5, 'has 3 columns where the header has 2'],
        [6, 'has text after a closing quote'],
        [7, 'is larger than 256 KiB'],
        [8, 'has a NUL character'],
      ],
    ],
    [
      'NDJSON',
      ndjson,
      `{"id":"a"}\n{"id":\n{"v":3}\n[1]\n7\n{"id":"e","v":"${long}"}\n{"id":"f","v":"\\u0000"}\n{"id":"g"}\n`,
      [
        [2, 'is not valid JSON'],
        [3, 'has no value for the key field "id"'],
        [4, 'is not a JSON object'],
        [5, 'is not a JSON object'],
        [6, 'is larger than 256 KiB'],
        [7, 'has a NUL character'],
      ],
    ],
    [
      'JSON',
      json,
      `[{"id":"a"},\n{"id":},\n{"v":3},\n[1],\n7,{"id":"e","v":"${long}"},\n{"id":"f","v":"\\ud800"},{"id":"g"}]`,
      [
        [2, 'element 2: is not valid JSON'],
        [3, 'element 3: has no value for the key field "id"'],
        [4, 'element 4: is not a JSON object'],
        [5, 'element 5: is not a JSON object'],
        [5, 'element 6: is larger than 256 KiB'],
        [6, 'element 7: has half of a surrogate pair'],
      ],
    ],
  ])('in %s are listed with line and reason, and the others are stored', async (_, contentType, body, bad) => {
    const id = await service.createSource({ config: { key: 'id' } })
    const response = await service.upload(id, contentType, body)
    expect([response.status, response.body.data]).toEqual([
      200,
      {
        data_source_id: id,
        counts: counts(8, 2, 0, 6),
        bad_rows: bad.map(([line, reason]) => ({ line, reason })),
        record_count: 2,
      },
    ])
    expect((await dataOf(id)).map((data) => data.id)).toEqual(['g', 'a'])
  })

  it('are all counted, but only the first hundred are listed', async () => {
    const id = await service.createSource({ config: { key: 'id' } })
    const response = await service.upload(id, csv, `id,v\n${'1,2\n'.repeat(250)}${'3\n'.repeat(250)}last,1\n`)
    expect(response.body.data.counts).toEqual(counts(501, 2, 0, 250))
    expect(response.body.data.bad_rows).toHaveLength(100)
    expect(response.body.data.bad_rows[99]).toMatchObject({ line: 351 })
  })

  it('are not stored with replaced characters when bytes are outside the declared charset', async () => {
    const id = await service.createSource()
    const body = Buffer.concat([Buffer.from('a\nfine\nZo'), Buffer.from([0xeb]), Buffer.from('\nZoë\n')])
    expect((await service.upload(id, `${csv}; charset=utf-8`, body)).body).toMatchObject({ status: 400 })
    expect(await dataOf(id)).toEqual([])
  })
})

describe('a body that cannot be parsed', () => {
  it.each([
    [csv, '', 'malformed_body', 'The CSV cannot be read: it has no header row'],
    [csv, 'a,b\n', 'malformed_body', 'The file has a header row, but no row with values below it'],
    [json, '', 'malformed_body', 'The body is empty; it must be a JSON array'],
    [json, '{"records":[]}', 'malformed_body', expect.stringContaining('must be an array')],
    [json, '<html><p>Sign in', 'malformed_body', 'It is an HTML page, not a table: "Sign in"'],
    [ndjson, '<html>\nSign in</html>\n', 'malformed_body', 'It is an HTML page, not a table: "Sign in"'],
    [`${csv}; charset=klingon`, 'a\n1\n', 'unsupported_media_type', 'The charset klingon is not supported'],
    ['application/pdf', 'a\n1\n', 'unsupported_media_type', expect.stringContaining('text/csv')],
  ])('%s %j is rejected with %s', async (contentType, body, code, detail) => {
    const id = await service.createSource()
    const response = await service.upload(id, contentType, body)
    expect(response.body).toMatchObject({ code, detail, status: code === 'malformed_body' ? 400 : 415 })
    expect(await sourceOf(id)).toMatchObject({ record_count: 0, last_synced_at: null })
  })

  it('is rejected before it was sent completely', async () => {
    const id = await service.createSource()
    let sent = 0
    const endless = (function* () {
      for (; sent < 200; sent++) yield 'this is not JSON '.repeat(8192)
    })()
    const response = await service.upload(id, json, streamOf(endless))
    expect(response.body).toMatchObject({ status: 400, code: 'malformed_body' })
  })
})

describe('an upload in progress', () => {
  it('is rejected when the source is paused', async () => {
    const id = await service.createSource()
    await service.request('PATCH', `/v1/data/sources/${id}`, { body: { status: 'paused' } })
    const response = await service.upload(id, csv, 'a\n1\n')
    expect(response.body).toMatchObject({ status: 409, code: 'conflict', detail: 'The data source is paused' })
    expect((await service.request('POST', `/v1/data/sources/${id}/sync/start`)).status).toBe(409)
  })

  it('stops at the next batch when the source is paused or deleted', async () => {
    for (const [method, body, status] of [
      ['PATCH', { status: 'paused' }, 409],
      ['DELETE', undefined, 404],
    ] as const) {
      const id = await service.createSource({ config: { key: 'n' } })
      const rows = (async function* () {
        yield `n,text\n${longRows}`
        await recordsOf(id, 1000)
        await service.request(method, `/v1/data/sources/${id}`, { body })
        yield rowsFrom(3000, 4000)
      })()
      expect((await service.upload(id, csv, streamOf(rows))).status).toBe(status)
    }
  })

  it('keeps stored batches when the sender disconnects', async () => {
    const id = await service.createSource({ config: { key: 'n' } })
    const gone = new Error('the sender disconnected')
    const half = (async function* () {
      yield `n,text\n${longRows}`
      await recordsOf(id, 1000)
      throw gone
    })()
    await expect(service.upload(id, csv, streamOf(half))).rejects.toThrow()
    const again = await service.upload(id, csv, `n,text\n${longRows}${rowsFrom(3000, 4000)}`)
    expect(again.body.data).toMatchObject({ counts: { seen: 4000, updated: 0, failed: 0 }, record_count: 4000 })
    expect(again.body.data.counts.created).toBeLessThanOrEqual(3000)
    expect(await storedRecords(id)).toBe(4000)
  })

  it('counts exactly when another upload writes the same source', async () => {
    const id = await service.createSource({ config: { key: 'n' } })
    const [first, second] = await Promise.all([
      service.upload(id, csv, `n,text\n${rowsFrom(0, 2000)}`),
      service.upload(id, csv, `n,text\n${rowsFrom(1000, 3000)}`),
    ])
    expect(first.body.data.counts.created + second.body.data.counts.created).toBe(3000)
    expect(first.body.data.counts.updated + second.body.data.counts.updated).toBe(0)
    expect((await sourceOf(id)).record_count).toBe(3000)
    expect(await storedRecords(id)).toBe(3000)
  })

  it('records all fields of concurrent uploads', async () => {
    const id = await service.createSource()
    const names = Array.from({ length: 12 }, (_, index) => `field ${index}`)
    await Promise.all(names.map((name) => service.upload(id, json, JSON.stringify([{ [name]: 1 }]))))
    const { schema, record_count: recordCount } = await sourceOf(id)
    expect(schema.map(({ name }: { name: string }) => name).sort()).toEqual(names.toSorted())
    expect(recordCount).toBe(12)
  })

  it('is audited once, with the first batch', async () => {
    const id = await service.createSource()
    await service.upload(id, csv, `n,text\n${rowsFrom(0, 1100)}`)
    const audited = await queryAsWorker<{ data: unknown }>(
      service.env,
      `SELECT data FROM platform.outbox WHERE kind = 'AUDIT_RECORDED' AND data->>'action' = 'data_source.records_uploaded'
         AND data @> jsonb_build_object('targets', jsonb_build_array(jsonb_build_object('id', $1::text)))`,
      [id],
    )
    expect(audited).toMatchObject([{ data: { outcome: 'success', targets: [{ type: 'data_source', id }] } }])
  })
})

const rowsFrom = (from: number, to: number, length = 50) =>
  Array.from({ length: to - from }, (_, index) => `${from + index},${'x'.repeat(length)}\n`).join('')
/** More than the 4 MiB read to detect the format, so that the first rows are stored while others are sent. */
const longRows = rowsFrom(0, 3000, 1500)

async function storedRecords(id: string): Promise<number> {
  const text = 'SELECT count(*)::integer AS count FROM data_records WHERE data_source_id = $1'
  const [row] = await queryAsWorker<{ count: number }>(service.env, text, [id])
  return row?.count ?? 0
}

/** Waits until a source has at least this many records. */
const recordsOf = (id: string, atLeast: number) =>
  eventually(async () => (await storedRecords(id)) >= atLeast, { description: `${atLeast} stored records` })
