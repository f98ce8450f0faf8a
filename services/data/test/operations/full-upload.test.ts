import { afterAll, describe, expect, it } from '@jest/globals'
import { queryAsWorker } from '../support/database.ts'
import { type DataService, startDataService, streamOf } from '../support/service.ts'

const service = await startDataService()
afterAll(() => service.stop())

const csv = 'text/csv'

async function createFilledSource(config: Record<string, unknown> = { key: 'id' }): Promise<string> {
  const id = await service.createSource({ config })
  await service.upload(id, csv, 'id,v\na,1\nb,2\nc,3\n')
  return id
}

const uploadFull = (id: string, contentType: string, body: Parameters<DataService['upload']>[2], query = '') =>
  service.request('POST', `/v1/data/sources/${id}/records?mode=full${query}`, {
    rawBody: body,
    headers: { 'content-type': contentType },
  })

const keysOf = async (id: string) =>
  (await service.listAll(`/v1/data/sources/${id}/records`)).map(({ key }) => key).sort()

describe('a full upload', () => {
  it('deletes the records it does not contain', async () => {
    const id = await createFilledSource()
    const { body } = await uploadFull(id, csv, 'id,v\na,1\nc,30\nd,4\n')
    expect(body.data).toMatchObject({
      counts: { seen: 3, created: 1, updated: 1, deleted: 1, failed: 0 },
      record_count: 3,
    })
    expect(await keysOf(id)).toEqual(['a', 'c', 'd'])
    expect((await service.get(`/v1/data/sources/${id}`)).body.data.record_count).toBe(3)
  })

  it('deletes more records than one transaction, and finds rows without a key field by their content', async () => {
    const id = await service.createSource()
    const rows = Array.from({ length: 2_300 }, (_, nth) => JSON.stringify({ n: nth }))
    await service.upload(id, 'application/x-ndjson', rows.join('\n'))
    const few = rows.slice(0, 100).join('\n')
    const { body } = await uploadFull(id, 'application/x-ndjson', few, '&allow_deletions=true')
    expect(body.data).toMatchObject({ counts: { created: 0, updated: 0, deleted: 2_200 }, record_count: 100 })
  })

  it('deletes nothing in the default mode', async () => {
    const id = await createFilledSource()
    expect((await service.upload(id, csv, 'id,v\na,1\n')).body.data.counts.deleted).toBe(0)
    expect(await keysOf(id)).toEqual(['a', 'b', 'c'])
  })

  it('keeps the record of an invalid row whose key is known', async () => {
    const id = await createFilledSource()
    const { body } = await uploadFull(
      id,
      'application/json',
      JSON.stringify([
        { id: 'a', v: 'x\0' },
        { id: 'b', v: 2 },
      ]),
    )
    expect(body.data).toMatchObject({ counts: { deleted: 1, failed: 1 } })
    expect(await keysOf(id)).toEqual(['a', 'b'])
  })

  it('keeps all records and warns when the key of an invalid row is unknown', async () => {
    const id = await createFilledSource()
    const { status, body } = await uploadFull(id, csv, 'id,v\na,1\n,2\n')
    expect([status, body.data]).toMatchObject([
      200,
      { counts: { deleted: 0, failed: 1 }, warnings: [{ code: 'missing_records_kept' }] },
    ])
    expect(await keysOf(id)).toEqual(['a', 'b', 'c'])
  })

  it.each([
    ['application/json', '[{"id":"a"},'],
    ['application/json', '[{"id":"a"},{"id":"b"'],
    ['application/x-ndjson', '{"id":"a"}\n{"id":"b'],
    ['application/x-ndjson', ''],
    [csv, 'id,v\na,1\nb'],
  ])('deletes nothing when its body is cut off: %s %j', async (contentType, body) => {
    const id = await createFilledSource()
    await uploadFull(id, contentType, body)
    expect(await keysOf(id)).toEqual(['a', 'b', 'c'])
  })

  it('deletes nothing when its last row without a key is cut off, and stores none of its rows', async () => {
    const id = await createFilledSource({})
    const { status, body } = await uploadFull(id, csv, 'id,v\na,1\nd,"2')
    expect([status, body.code, body.detail]).toEqual([
      409,
      'too_many_deletions',
      expect.stringMatching(/ends within its last row.*Nothing was stored, and nothing was deleted/),
    ])
    expect(await keysOf(id)).toHaveLength(3)
  })

  it('deletes nothing when the sender disconnects', async () => {
    const id = await createFilledSource()
    const half = (async function* () {
      yield 'id,v\na,1\n'
      throw new Error('the sender disconnected')
    })()
    await expect(uploadFull(id, csv, streamOf(half))).rejects.toThrow()
    // The next upload of the source waits for nothing of the failed one: what it would delete is decided at its end.
    expect((await service.upload(id, csv, 'id,v\na,1\n')).body.data.record_count).toBe(3)
    expect(await keysOf(id)).toEqual(['a', 'b', 'c'])
  })
})

describe('an upload for a period', () => {
  const post = (id: string, text: string, mode = 'period', type = csv) =>
    service.request('POST', `/v1/data/sources/${id}/records?mode=${mode}`, {
      rawBody: text,
      headers: { 'content-type': type },
    })
  const stored = async (text: string, config = {}) => {
    const id = await service.createSource({ config })
    await service.upload(id, csv, text)
    return id
  }
  const pad = (number: number) => `${number}`.padStart(2, '0')
  /** A row for each day from one to another, in days since the beginning of 2025. */
  const days = (from: number, to: number, people: number) =>
    Array.from({ length: to - from }, (_, nth) => {
      return `${new Date(Date.UTC(2025, 0, from + nth + 1)).toISOString().slice(0, 10)},${people}\n`
    }).join('')
  const april = (people: number) => `day,people\n${days(455, 485, people)}`
  const timesOf = async (id: string, field = 'time') =>
    (await service.listAll(`/v1/data/sources/${id}/records`)).map(({ data }) => data[field]).toSorted()

  it.each([
    ['a year before', `${april(5)}2025-04-01,5\n`, '395 of 1000 records', '364 of these'],
    ['a few days before', `${april(5)}2026-03-27,5\n`, '35 of 1000 records', '4 of these'],
  ])('deletes nothing when its file has a stray date %s', async (_, text, ...said) => {
    const id = await stored(`day,people\n${days(0, 1000, 1)}`)
    const { body } = await post(id, text)
    expect(body.code).toBe('too_many_deletions')
    for (const words of said) expect(body.detail).toContain(words)
    expect((await post(id, text, 'period&allow_deletions=true')).body.data.counts.deleted).toBeGreaterThan(30)
  })

  it('deletes nothing when a day of its file has few of the rows that are stored of it', async () => {
    const bookings = (from: number, to: number, most: number) =>
      Array.from({ length: most }, (_, nth) => days(from, to, nth)).join('')
    const id = await stored(`day,people\n${bookings(440, 485, 20)}`)
    const { body } = await post(id, `day,people\n${bookings(455, 485, 20)}${days(452, 453, 100)}`)
    expect(body).toMatchObject({
      code: 'too_many_deletions',
      detail: expect.stringContaining('20 of these records are of it'),
    })
    const restricted = await service.createSource({ config: {}, record_access: 'aggregates' })
    await service.upload(restricted, csv, `day,people\n${bookings(440, 485, 20)}`)
    const { body: untold } = await post(restricted, `day,people\n${bookings(455, 485, 20)}${days(452, 453, 100)}`)
    expect(untold.detail).toMatch(
      /^Records would be deleted, but many of them are of days of which the file has few rows/,
    )
    expect(untold).not.toHaveProperty('deletions')
    const keyed = await service.createSource({ config: { key: 'id' }, record_access: 'aggregates' })
    await service.upload(keyed, csv, 'id,day\na,2026-03-02\nb,2026-03-02\n')
    const { warnings } = (await post(keyed, 'id,day\nc,2026-03-02\nd,2026-03-02\n,2026-03-02\n')).body.data
    expect(warnings).toMatchObject([{ message: expect.stringMatching(/^Records that were not read were kept/) }])
    const { data } = (await post(id, `day,people\n${bookings(455, 485, 19)}`)).body
    expect(data).toMatchObject({ counts: { deleted: 30 } })
  })

  it('keeps the records beside the exact times of its file, whose days are of another zone', async () => {
    const hours = (from: string, count: number, people: number) =>
      Array.from({ length: count }, (_, n) => `${new Date(Date.parse(from) + n * 3_600_000).toISOString()},${people}\n`)
    const march = hours('2026-03-30T22:00:00Z', 24, 1)
    const id = await stored(`time,people\n${[...march, ...hours('2026-03-31T22:00:00Z', 48, 2)].join('')}`)
    const { body } = await post(id, `time,people\n${hours('2026-03-31T22:00:00Z', 48, 3).join('')}`)
    expect(body.data).toMatchObject({ counts: { created: 48, deleted: 48 }, record_count: 72 })
    expect(body.data.warnings).toMatchObject([{ code: 'period_replaced', column: 'time' }])
    // The value of a quarter of an hour, which is named by its end.
    const ends = await stored('time,people\n2026-04-30T23:45,1\n2026-05-01T00:00,1\n2026-05-01T00:15,1\n')
    await post(ends, 'time,people\n2026-04-30T23:45,2\n2026-05-01T00:00,2\n')
    expect(await timesOf(ends)).toEqual(['2026-04-30T23:45:00', '2026-05-01T00:00:00', '2026-05-01T00:15:00'])
  })

  it('compares instants when offsets differ, and is refused when only some times have one', async () => {
    const id = await stored('time,people\n2026-03-29T00:30:00+01:00,1\n2026-03-29T03:30:00+02:00,1\n')
    const { body } = await post(id, 'time,people\n2026-03-29T02:00:00+02:00,2\n2026-03-29T01:30:00Z,2\n')
    expect(body.data).toMatchObject({ counts: { created: 2, deleted: 1 }, record_count: 3 })
    const mixed = await stored('time\n2026-03-01T09:00:00Z\n2026-03-01T08:00:00Z\n')
    const refused = await post(mixed, 'time\n2026-03-01T09:00:00Z\n2026-03-01T10:00:00\n')
    expect(refused.body.errors).toMatchObject([{ pointer: '?mode', detail: expect.stringContaining('"time"') }])
    expect(await timesOf(mixed)).toHaveLength(2)
    const local = await post(mixed, 'time\n2026-03-01T07:00:00\n2026-03-01T10:00:00\n')
    expect(local.body.errors).toMatchObject([{ pointer: '?mode' }])
  })

  it('replaces by the column that says when rows happened, in any order of columns', async () => {
    const bookings = (month: number, created: string, room: string) =>
      [1, 2, 3].map((day) => `${created},2026-${pad(month)}-0${day}T09:00,2026-${pad(month)}-0${day}T10:00,${room}\n`)
    const header = 'Created,Start,End,Room\n'
    const id = await stored(
      `${header}${[...bookings(4, '2026-01-05T10:00', 'A'), ...bookings(5, '2026-01-02T10:00', 'A')].join('')}`,
    )
    const { body } = await post(id, `${header}${bookings(5, '2026-01-02T10:00', 'B').join('')}`)
    expect(body.data).toMatchObject({ counts: { created: 3, deleted: 3 }, record_count: 6 })
    expect(body.data.warnings).toMatchObject([{ column: 'Start' }])
    const lines = ['{"Room":"C","Start":"2026-05-02T11:00:00"}', '{"Start":"2026-05-02T09:00:00","Room":"C"}']
    const json = await post(id, lines.join('\n'), 'period', 'application/x-ndjson')
    expect(json.body.data).toMatchObject({ counts: { created: 2, deleted: 1 } })
  })

  it.each([
    ['several may say when rows happened', 'Scanned,Stored,Door\n2026-03-01T09:00,2026-03-01T09:05,A\n'],
    ['its times are of people', 'Hired,Name\n2026-03-01,Ada\n'],
    ['no record has the column', 'When,Door,People\n2026-03-01T09:00,A,1\n'],
    ['it has no times', 'Door,People\nA,3\n'],
  ])('is refused before anything is stored when %s', async (_, text) => {
    const isLater = text.includes('Door,People')
    const id = isLater ? await stored('Door,People\nA,2\n') : await service.createSource()
    expect((await post(id, text)).body.errors).toMatchObject([{ pointer: '?mode' }])
    expect((await service.get(`/v1/data/sources/${id}`)).body.data.record_count).toBe(isLater ? 1 : 0)
  })

  it('keeps the share of its source, and the number of its refused rows when it is sent again', async () => {
    const month = (people: number) => `day,people\n${days(31, 56, people)}${days(56, 61, people).replace(/,.*/g, ',x')}`
    const id = await stored(`day,people\n${days(0, 31, 1)}`)
    for (const people of [2, 3, 4]) expect((await post(id, month(people))).body.data.counts.failed).toBe(5)
    const statement = 'SELECT refused_rows FROM data_sources WHERE data_source_id = $1'
    expect(await queryAsWorker(service.env, statement, [id])).toEqual([{ refused_rows: 5 }])
    const limited = await stored(`day,people\n${days(0, 31, 1)}`, { max_deletion_share: 0.4 })
    expect((await post(limited, `day,people\n${days(0, 31, 2)}`)).body.code).toBe('too_many_deletions')
    const unread = await post(id, `day,people\n${days(31, 61, 2).replace(/,.*/gm, ',x')}`)
    expect([unread.status, (await service.get(`/v1/data/sources/${id}`)).body.data.record_count]).toEqual([400, 56])
  })
})
