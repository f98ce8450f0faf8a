import { afterAll, describe, expect, it } from '@jest/globals'
import { correctionWarnings } from '../../src/upload/find-overlap.ts'
import { queryAsWorker } from '../support/database.ts'
import { startDataService } from '../support/service.ts'

const service = await startDataService()
afterAll(() => service.stop())

const csv = 'text/csv'
const swipes = ['Ann,North', 'Bob,South', 'Ann,North', 'Ann,North', 'Bob,South', 'Cy,North']
const toCsv = (lines: readonly string[]) => `person,door\n${lines.join('\n')}\n`
const unchanged = { seen: 6, created: 0, updated: 0, deleted: 0, failed: 0 }
const countsOf = async (id: string, type: string, body: string) =>
  (await service.upload(id, type, body)).body.data.counts

describe('rows without a key', () => {
  it('are each a record of their own, and change nothing when they are sent again in any order or format', async () => {
    const id = await service.createSource()
    expect(await countsOf(id, csv, toCsv(swipes))).toEqual({ ...unchanged, created: 6 })
    expect(await countsOf(id, csv, toCsv(swipes))).toEqual(unchanged)
    expect(await countsOf(id, csv, toCsv(swipes.toReversed()))).toEqual(unchanged)
    const rows = swipes.map((line) => line.split(',')).map(([person, door]) => ({ door, person }))
    expect(await countsOf(id, 'application/json', JSON.stringify(rows))).toEqual(unchanged)
    expect(await countsOf(id, csv, toCsv([...swipes, 'Ann,North']))).toEqual({ ...unchanged, seen: 7, created: 1 })
    expect((await service.get(`/v1/data/sources/${id}`)).body.data.record_count).toBe(7)
  })

  it('that are new between known ones are said to correct an earlier file, and those of a next file are not', async () => {
    const id = await service.createSource()
    const codesOf = async (lines: readonly string[]) =>
      ((await service.upload(id, csv, toCsv(lines))).body.data.warnings ?? []).map((one: { code: string }) => one.code)
    const march = Array.from({ length: 12 }, (_, day) => `P${day},North`)
    expect(await codesOf(march)).toEqual([])
    expect(await codesOf([...march.slice(6), 'P20,North', 'P21,North'])).toEqual([])
    const corrected = march.map((line, at) => (at % 3 === 0 ? line.replace('North', 'South') : line))
    expect(await codesOf(corrected)).toEqual(['new_between_known'])
    // Rows are stored in batches of 1,000: known ones, new, known and new again.
    const april = Array.from({ length: 4_000 }, (_, row) => `A${row},North`)
    expect(await codesOf(april.filter((_, row) => Math.floor(row / 1_000) % 2 === 0))).toEqual([])
    expect(await codesOf(april)).toEqual(['new_between_known'])
  })

  const warningsOf = async (id: string, text: string) => (await service.upload(id, csv, text)).body.data.warnings ?? []

  it('of the period of stored ones are said to overlap', async () => {
    const month = (people: number, from = 1) =>
      `day,floor,people\n${Array.from({ length: 10 }, (_, n) => `2026-03-${`${n + from}`.padStart(2, '0')},A,${people + n}`).join('\n')}\n`
    const counts = await service.createSource()
    expect(await warningsOf(counts, month(10))).toEqual([])
    expect(await warningsOf(counts, month(10, 11))).toEqual([])
    const message = expect.stringContaining('10 of 10 rows are new, and 10 other rows from 2026-03-01 to 2026-03-10')
    expect(await warningsOf(counts, month(50))).toEqual([{ code: 'overlaps', column: 'day', message }])
    expect(await warningsOf(counts, month(50))).toEqual([])
    const keyed = await service.createSource({ config: { key: 'day' } })
    expect([await warningsOf(keyed, month(10)), await warningsOf(keyed, month(50))]).toEqual([[], []])
  })

  it('of a period replace those of its days alone when they are uploaded for it, which a preview says before', async () => {
    const readings = (month: string, people: number, days = 10) =>
      `time,floor,people\n${Array.from({ length: days }, (_, n) => `2026-${month}-${`${n + 1}`.padStart(2, '0')}T09:00,A,${people + n}`).join('\n')}\n`
    const previewed = async (text: string, query = '') => {
      return (await post(`/v1/data/preview${query}`, text)).body.data
    }
    const post = (path: string, rawBody: string) =>
      service.request('POST', path, { headers: { 'content-type': csv }, rawBody })
    const replace = (text: string) => post(`/v1/data/sources/${id}/records?mode=period`, text)
    const id = await service.createSource({ name: 'Counts' })
    await service.upload(id, csv, readings('03', 10, 30))
    await service.upload(id, csv, readings('04', 10))
    const own = `?data_source_id=${id}`
    const codes = async (text: string) =>
      (await previewed(text, own)).warnings.map(({ code }: { code: string }) => code)
    expect(await codes(readings('04', 50))).toEqual(['overlaps'])
    expect([await codes(readings('04', 10)), await codes(readings('05', 50))]).toEqual([[], []])
    const continued = async (text: string) => (await previewed(text)).suggestions.continues
    const source = { data_source_id: id, name: 'Counts', until: '2026-04-10' }
    expect(await continued(readings('05', 50))).toContainEqual({ ...source, overlaps: false })
    expect(await continued(readings('04', 50))).toContainEqual({ ...source, overlaps: true })
    expect(await continued(readings('05', 50).replace('floor', 'room'))).toEqual([])
    // Of a workbook all sheets were read, whose names are a column.
    const sheets = await service.createSource({ name: 'Sheets' })
    await service.upload(
      sheets,
      csv,
      readings('07', 10)
        .replaceAll(/$(?=\n)/gm, ',Jul')
        .replace(',Jul', ',Sheet'),
    )
    const [joined] = (await continued(readings('07', 50))).filter(({ name }: { name: string }) => name === 'Sheets')
    expect(joined).toMatchObject({ data_source_id: sheets, overlaps: true })
    const request = { caller: { scopes: ['data:write' as const] }, headers: { 'content-type': csv } }
    const writer = await service.request('POST', '/v1/data/preview', { ...request, rawBody: readings('05', 50) })
    expect(writer.body.data.suggestions.continues).toEqual([])
    const { body } = await replace(readings('04', 50))
    expect(body.data).toMatchObject({ counts: { created: 10, deleted: 10 }, record_count: 40 })
    const whole = await service.createSource()
    await service.upload(whole, csv, readings('03', 10, 30))
    const replaced = await post(`/v1/data/sources/${whole}/records?mode=period`, readings('03', 90, 30))
    expect(replaced.body.data).toMatchObject({ counts: { created: 30, deleted: 30 }, record_count: 30 })
    const stray = `${readings('05', 50)}2006-05-01T09:00,A,3\n`
    expect((await replace(stray)).body).toMatchObject({ code: 'too_many_deletions' })
    const untimed = await replace('floor,people\nA,3\n')
    expect(untimed.body.errors).toMatchObject([{ pointer: '?mode' }])
  })

  it.each([
    ['its records are restricted', { record_access: 'aggregates' }, 'at,door', '2026-03-01T09:00,A', [{ until: null }]],
    [
      'the column is of pseudonyms',
      { config: { pseudonymize: ['At'] } },
      'at,gate',
      '2026-03-01T09:00,A',
      [{ until: null }],
    ],
    ['it has very many records', { name: 'Many' }, 'at,lift', '2026-03-01T09:00,A', [{ until: null }]],
    ['the dates are of persons', {}, 'Birth,Desk', '1999-03-01,A', []],
    ['a text stands among them', {}, 'at,zone', '2026-03-01,A', [{ until: '2026-03-01', overlaps: true }]],
  ])('of a source that they continue tell its last day, or not, when %s', async (_, fields, header, row, continues) => {
    const id = await service.createSource(fields)
    const text = `${header}\n${`${row}\n`.repeat(100)}`
    await service.upload(id, csv, text)
    const statement = `UPDATE data_records SET data = jsonb_set(data, '{at}', '"open"') WHERE key =
      (SELECT min(key) FROM data_records WHERE data_source_id = $1) AND data_source_id = $1`
    const grown = 'UPDATE data_sources SET record_count = 600000 WHERE data_source_id = $1'
    if (header === 'at,lift') await queryAsWorker(service.env, grown, [id])
    if (header === 'at,zone') await queryAsWorker(service.env, statement, [id])
    const { body } = await service.request('POST', '/v1/data/preview', {
      headers: { 'content-type': csv },
      rawBody: text,
    })
    expect(body.data.suggestions.continues).toMatchObject(continues)
  })

  const people = (count: number, prefix: string, until = (day: string) => day) =>
    `until,name,hired\n${Array.from({ length: count }, (_, n) => `${until(`2020-03-${10 + (n % 10)}`)},${prefix}${n},2020-01-${10 + (n % 10)}`).join('\n')}\n`
  it.each([
    ['half as many rows of the period were stored', 10, 20, 'half', '10 other rows from 2020-03-10 to 2020-03-19'],
    ['more rows of the period were stored than the file has', 25, 10, 'more', 'more than 10 other rows'],
    ['few rows of the period were stored', 4, 10, 'few', null],
    ['the file has few rows beside those that were stored', 41, 2, 'little', null],
  ])('are told to overlap, or not, when %s', async (_, stored, rows, prefix, text) => {
    const id = await service.createSource()
    await service.upload(id, csv, people(stored, 'P'))
    const message = expect.stringContaining(text ?? '')
    const expected = text === null ? [] : [{ code: 'overlaps', column: 'until', message }]
    expect(await warningsOf(id, people(rows, prefix))).toEqual(expected)
  })

  it('are compared by the first column of times that has some in their file', async () => {
    const id = await service.createSource()
    await service.upload(id, csv, people(10, 'P'))
    expect(
      await warningsOf(
        id,
        people(10, 'Q', () => ''),
      ),
    ).toMatchObject([{ code: 'overlaps', column: 'hired' }])
  })

  it('are stored without a warning when they cannot be compared', async () => {
    const failures: unknown[] = []
    const read = async () => {
      throw new Error('statement timeout')
    }
    // Nothing else of a context is used.
    const context = { database: { background: { read } }, log: { warn: (entry: unknown) => failures.push(entry) } }
    const period = { field: 'day', first: '2026-03-01', last: '2026-03-10', rows: 10 }
    const counts = { seen: 10, created: 10, updated: 0, deleted: 0, failed: 0 }
    const key = { workspaceId: 'w', dataSourceId: 'd' }
    const source = { recordCount: 10 }
    expect(await correctionWarnings(context as never, key, source as never, { counts, switches: 0 }, period)).toEqual(
      [],
    )
    expect(failures).toMatchObject([{ event: 'upload.comparison_failed' }])
  })

  it('that have a date which is the same in either order do not decide the order of the next file', async () => {
    const id = await service.createSource()
    expect(await countsOf(id, csv, 'day,people\n01/01/2026,5\n')).toMatchObject({ created: 1 })
    const { body } = await service.upload(id, csv, 'day,people\n02/03/2026,5\n')
    expect(body).toMatchObject({ code: 'ambiguous_format' })
    expect(await countsOf(id, csv, 'day,people\n01/31/2026,5\n02/03/2026,5\n')).toMatchObject({ created: 2 })
    expect((await service.listAll(`/v1/data/sources/${id}/records`)).map(({ data }) => data.day).toSorted()).toEqual([
      '2026-01-01',
      '2026-01-31',
      '2026-02-03',
    ])
  })

  it('lose as many records as are missing when the upload is full', async () => {
    const id = await service.createSource()
    await service.upload(id, csv, toCsv(swipes))
    const { body } = await service.request('POST', `/v1/data/sources/${id}/records?mode=full`, {
      rawBody: toCsv(swipes.slice(0, 3)),
      headers: { 'content-type': csv },
    })
    expect(body.data.counts).toMatchObject({ seen: 3, created: 0, deleted: 3 })
  })
})

it('a field named __proto__ is stored, returned and identified like any other', async () => {
  const id = await service.createSource({ config: { key: '__proto__' } })
  expect(await countsOf(id, csv, '__proto__,constructor\na,1\nb,2\n')).toMatchObject({ created: 2, failed: 0 })
  expect(await countsOf(id, 'application/x-ndjson', '{"__proto__":"c","constructor":3}')).toMatchObject({ created: 1 })
  const { records } = { records: await service.listAll(`/v1/data/sources/${id}/records`) }
  expect(records.map(({ key, data }) => [key, JSON.stringify(data)]).toSorted()).toEqual([
    ['a', '{"__proto__":"a","constructor":1}'],
    ['b', '{"__proto__":"b","constructor":2}'],
    ['c', '{"__proto__":"c","constructor":3}'],
  ])
})

describe('the format of a source', () => {
  const german = 'Zeit;Gäste\n05.01.2026 08:00;1.386,5\n13.01.2026 08:00;12,5\n'

  it('is pinned by its first file, without a change of its update time', async () => {
    const id = await service.createSource()
    const before = (await service.get(`/v1/data/sources/${id}`)).body.data
    expect(await countsOf(id, csv, german)).toMatchObject({ created: 2, failed: 0 })
    const after = (await service.get(`/v1/data/sources/${id}`)).body.data
    expect(after.config.format).toMatchObject({ delimiter: ';', decimal: ',' })
    expect(after.updated_at).toBe(before.updated_at)
    const [, first] = await service.listAll(`/v1/data/sources/${id}/records`)
    expect(first.data).toEqual({ Zeit: '2026-01-05T08:00:00', Gäste: 1386.5 })
    // Alone the day and month of this file could not be told apart.
    expect(await countsOf(id, csv, 'Zeit;Gäste\n06.01.2026 08:00;1.386\n')).toMatchObject({ created: 1, failed: 0 })
    const refused = await service.upload(id, csv, 'Zeit,Gäste\n2026-01-06,1386\n')
    expect(refused.body).toMatchObject({ status: 400, code: 'unexpected_format' })
  })

  it('does not require the columns that a later file added', async () => {
    const id = await service.createSource()
    const files = ['day,people\n2024-01-13,5\n', 'day,people,rain\n2024-01-14,6,0.5\n', 'day,people\n2024-01-15,7\n']
    for (const file of files) expect(await countsOf(id, csv, file)).toMatchObject({ created: 1, failed: 0 })
    expect(await countsOf(id, 'application/json', '[{"other":1}]')).toMatchObject({ created: 1 })
    expect(await countsOf(id, csv, 'day,people\n2024-01-16,8\n')).toMatchObject({ created: 1, failed: 0 })
    expect((await service.upload(id, csv, 'rain\n0.5\n')).body).toMatchObject({ code: 'unexpected_format' })
  })

  it('is not pinned, and nothing is stored, when the file is refused', async () => {
    const id = await service.createSource()
    for (const body of ['<!doctype html><p>Sign in', 'a,b\n'])
      expect((await service.upload(id, csv, body)).body).toMatchObject({ status: 400 })
    const { config, record_count: records } = (await service.get(`/v1/data/sources/${id}`)).body.data
    expect([config.format, records]).toEqual([undefined, 0])
  })

  it('is refused with conflict when it was changed to another one while the file was read', async () => {
    const id = await service.createSource({ config: { key: 'n' } })
    const body = (async function* () {
      yield Buffer.from('n;v\n1;2\n')
      await queryAsWorker(
        service.env,
        `UPDATE data_sources SET config = config || '{"format": {"delimiter": "|"}}' WHERE data_source_id = $1`,
        [id],
      )
      yield Buffer.from('3;4\n')
    })()
    const response = await service.upload(id, csv, ReadableStream.from(body))
    expect(response.body).toMatchObject({ status: 409, code: 'conflict' })
    expect((await service.get(`/v1/data/sources/${id}`)).body.data.record_count).toBe(0)
  })
})

describe('a full upload that is no file of the source', () => {
  const rows = Array.from({ length: 30 }, (_, nth) => `r${nth},Room ${nth}`)
  const file = (lines: readonly string[]) => `id,name\n${lines.join('\n')}\n`

  it.each([
    ['a page', '<!doctype html><title>Sign in</title><p>Sign in to go on', 'malformed_body'],
    ['a header', 'id,name\n', 'malformed_body'],
    ['an error message', '{"error":"quota"}', 'malformed_body'],
    ['other rows', '[{"error":"quota"}]', 'unexpected_format'],
    ['an empty list', '[]', 'too_many_deletions'],
    ['rows without the key', 'name\nRoom 1\nRoom 2\n', 'unexpected_format'],
    ['half of the rows', file(rows.slice(0, 15)), 'too_many_deletions'],
  ])('deletes nothing: %s', async (_, body, code) => {
    const id = await service.createSource({ config: { key: 'id' } })
    expect(await countsOf(id, csv, file(rows))).toMatchObject({ created: 30 })
    const response = await service.request('POST', `/v1/data/sources/${id}/records?mode=full`, {
      rawBody: body,
      headers: { 'content-type': csv },
    })
    expect(response.body).toMatchObject({ code })
    expect((await service.get(`/v1/data/sources/${id}`)).body.data.record_count).toBe(30)
  })

  it('states the numbers, and deletes once it is allowed', async () => {
    const id = await service.createSource({ config: { key: 'id', max_deletion_share: 0.1 } })
    await service.upload(id, csv, file(rows))
    const send = (query: string) =>
      service.request('POST', `/v1/data/sources/${id}/records?mode=full${query}`, {
        rawBody: file(rows.slice(0, 26)),
        headers: { 'content-type': csv },
      })
    expect((await send('')).body).toMatchObject({
      status: 409,
      code: 'too_many_deletions',
      deletions: 4,
      records: 30,
      max_deletion_share: 0.1,
      detail: expect.stringContaining('?allow_deletions=true'),
    })
    expect((await send('&allow_deletions=true')).body.data.counts.deleted).toBe(4)
  })
})
