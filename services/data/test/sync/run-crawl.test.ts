import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { JobFailure } from '@wp/jobs'
import type { Page } from '../../src/providers/source-reader.ts'
import { queryAsWorker } from '../support/database.ts'
import {
  createRow,
  createRows,
  startCrawlService,
  yieldPages,
  yieldPagesThenFail,
} from '../support/sources/scripted-crawls.ts'

const service = await startCrawlService()
afterAll(() => service.stop())
beforeEach(() => {
  service.crawls.length = 0
})

const createCounts = (seen: number, created: number, updated: number, deleted: number, failed = 0) => ({
  seen,
  created,
  updated,
  deleted,
  failed,
})
const listKeys = async (source: string) => Object.keys(await service.readRecords(source)).sort()
const createIds = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `${from + at}`).sort()

describe('a crawl', () => {
  it('stores rows and records counts, schema, event and the state of its source', async () => {
    const source = await service.createSource()
    service.scriptCrawls(
      yieldPages([
        { rows: createRows(0, 1500), progress: 0.5 },
        { rows: createRows(1400, 2100), cursor: 'z' },
      ]),
    )
    const sync = await service.runSync(source)
    expect(sync).toMatchObject({
      status: 'finished',
      trigger: 'schedule',
      mode: 'incremental',
      error: null,
      counts: createCounts(2200, 2100, 0, 0),
      cursor_before: null,
      cursor_after: 'z',
      bad_rows: [],
    })
    expect(await listKeys(source)).toEqual(createIds(0, 2100))
    expect(await service.getSource(source)).toMatchObject({
      record_count: 2100,
      last_sync_id: sync.id,
      status: 'active',
      schema: [{ name: 'id', type: 'number' }],
    })
    const events = await queryAsWorker(service.env, `SELECT data FROM platform.outbox WHERE data->>'id' = $1`, [
      sync.id,
    ])
    expect(events).toMatchObject([
      { data: { id: sync.id, status: 'finished', data_source_id: source, counts: createCounts(2200, 2100, 0, 0) } },
    ])
  })

  it('resumes from the cursor of the previous crawl, unless it is full or the settings changed', async () => {
    const source = await service.createSource()
    service.scriptCrawls(yieldPages([{ rows: createRows(0, 3), cursor: 'three' }]))
    await service.runSync(source)
    service.scriptCrawls(yieldPages([{ rows: createRows(2, 5), cursor: 'five' }]))
    expect(await service.runSync(source)).toMatchObject({
      counts: createCounts(3, 2, 0, 0),
      cursor_before: 'three',
      cursor_after: 'five',
    })
    service.scriptCrawls(yieldPages([], 'unchanged'))
    expect(await service.runSync(source)).toMatchObject({ cursor_before: 'five', cursor_after: 'five' })
    await service.request('PATCH', `/v1/data/sources/${source}`, {
      config: { url: 'http://127.0.0.1:9009/others.json' },
    })
    service.scriptCrawls(yieldPages([{ rows: createRows(0, 5), cursor: 'x' }]))
    expect(await service.runSync(source)).toMatchObject({ cursor_before: null, cursor_after: 'x' })
    await service.runSync(source, 'full')
    expect(service.crawls.map(({ mode, cursor }) => [mode, cursor])).toEqual([
      ['incremental', undefined],
      ['incremental', 'three'],
      ['incremental', 'five'],
      ['incremental', undefined],
      // An incremental crawl deletes nothing, so a full crawl cannot resume from its cursor.
      ['full', undefined],
    ])
    await service.runSync(source, 'full')
    expect(service.crawls.at(-1)).toMatchObject({ mode: 'full', cursor: 'x' })
  })

  it('lists the first hundred bad rows with their parts and counts all', async () => {
    const source = await service.createSource()
    const bad = Array.from({ length: 150 }, (_, at) => ({ line: at + 1, reason: 'is broken' }))
    service.scriptCrawls(
      yieldPages([
        { rows: [...createRows(0, 5), createRow({ title: 'no id' })], part: 'a' },
        { rows: bad, part: 'b' },
      ]),
    )
    const sync = await service.runSync(source)
    expect(sync.counts).toEqual(createCounts(156, 5, 0, 0, 151))
    expect(sync.bad_rows).toHaveLength(100)
    expect(sync.bad_rows.slice(0, 2)).toEqual([
      { line: expect.any(Number), reason: 'has no value for the key field "id"', part: 'a' },
      { line: 1, reason: 'is broken', part: 'b' },
    ])
  })

  it('reindexes unchanged rows when the language of the source has changed', async () => {
    const config = { key: 'id', language: 'simple' }
    const source = await service.createSource({ config })
    const rows = [createRow({ id: '1', title: 'rented bicycles' })]
    service.scriptCrawls(yieldPages([{ rows }]))
    await service.runSync(source)
    const words = () =>
      queryAsWorker(service.env, 'SELECT words::text FROM data_records WHERE data_source_id = $1', [source])
    expect(await words()).toEqual([{ words: "'1':3 'bicycles':2A 'rented':1A" }])
    await service.request('PATCH', `/v1/data/sources/${source}`, { config: { language: 'english' } })
    expect((await service.runSync(source)).counts).toEqual(createCounts(1, 0, 0, 0))
    expect(await words()).toEqual([{ words: "'1':3 'bicycl':2A 'rent':1A" }])
    expect(await service.searchTitles('bicycle')).toEqual(['rented bicycles'])
  })
})

describe('an interrupted crawl', () => {
  it('resumes from its cursor and counts each row once when rows before the cursor are read again', async () => {
    const source = await service.createSource({ config: { key: 'id', fields: { n: { type: 'number' } } } })
    const bad = { n: 'many' }
    const page = (from: number, to: number): Page => ({ rows: createRows(from, to, bad), cursor: `${to}` })
    const broken = createRow({ n: 'no id' })
    service.scriptCrawls(
      yieldPagesThenFail([
        page(0, 10),
        { rows: [...createRows(10, 20, bad), broken], cursor: '20' },
        { rows: createRows(20, 30, bad) },
      ]),
      yieldPagesThenFail([{ rows: [...createRows(18, 20, bad), broken, ...createRows(20, 25, bad)], cursor: '25' }]),
      yieldPages([page(24, 40)]),
    )
    const sync = await service.runSync(source)
    expect(sync).toMatchObject({
      counts: createCounts(41, 40, 0, 0, 1),
      cursor_before: null,
      cursor_after: '40',
      bad_rows: [{ reason: 'has no value for the key field "id"' }],
    })
    expect(sync.schema_changes).toEqual([
      { field: 'n', change: 'not_as_declared', from: 'number', to: 'string', count: 40 },
    ])
    expect(service.crawls.map(({ cursor }) => cursor)).toEqual([undefined, '20', '25'])
    expect(await listKeys(source)).toEqual(createIds(0, 40))
    expect((await service.getSource(source)).record_count).toBe(40)
  })

  it('counts stored rows when nothing is left to read after it resumes', async () => {
    const source = await service.createSource()
    service.scriptCrawls(
      yieldPagesThenFail([{ rows: createRows(0, 3), cursor: '3' }, { rows: createRows(3, 5) }]),
      yieldPages([], 'unchanged'),
    )
    expect((await service.runSync(source)).counts).toEqual(createCounts(3, 5, 0, 0))
  })

  it('starts over without a cursor: seen rows are counted again, stored ones are not', async () => {
    const source = await service.createSource({ config: { key: 'id', fields: { n: { type: 'number' } } } })
    const rows = [...createRows(0, 8, { n: 'x' }), createRow({ n: 1 }), { line: 10, reason: 'is broken' }]
    service.scriptCrawls(
      yieldPagesThenFail([{ rows }]),
      yieldPagesThenFail([{ rows }, { rows: createRows(8, 9) }]),
      yieldPages([{ rows }, { rows: createRows(8, 12) }]),
    )
    for (const mode of ['incremental', 'full'] as const) {
      const sync = await service.runSync(source, mode)
      expect(sync.counts).toEqual(createCounts(14, mode === 'full' ? 0 : 12, 0, 0, 2))
      expect(sync.bad_rows).toHaveLength(2)
      expect(sync.schema_changes[0]).toMatchObject({ count: 8 })
      service.scriptCrawls(yieldPagesThenFail([{ rows }]), yieldPages([{ rows }, { rows: createRows(8, 12) }]))
    }
    expect(await listKeys(source)).toEqual(createIds(0, 12))
  })
})

describe('a full crawl', () => {
  const createTextRow = (id: number) => createRow({ id: `${id}`, title: `walrus ${id}` })

  it('deletes missing records, and their search entries, and nothing else', async () => {
    const source = await service.createSource()
    service.scriptCrawls(yieldPages([{ rows: [1, 2, 3, 4, 5].map(createTextRow) }]))
    await service.runSync(source, 'full')
    expect(await service.searchTitles('walrus')).toHaveLength(5)
    // A bad row with a key leaves its record unchanged.
    const bad = [createRow({ id: '2', title: 'walrus \0' }), { line: 9, reason: 'is too large', key: '4' }]
    service.scriptCrawls(yieldPages([{ rows: [createTextRow(1), ...bad, createTextRow(6)] }]))
    const sync = await service.runSync(source, 'full')
    expect(sync.counts).toEqual(createCounts(4, 1, 0, 2, 2))
    expect(await listKeys(source)).toEqual(['1', '2', '4', '6'])
    expect(await service.searchTitles('walrus')).toEqual(['walrus 1', 'walrus 2', 'walrus 4', 'walrus 6'])
    expect((await service.getSource(source)).record_count).toBe(4)
    const statistics = await queryAsWorker(
      service.env,
      'SELECT documents FROM search_indexes WHERE data_source_id = $1',
      [source],
    )
    expect(statistics).toEqual([{ documents: 4 }])
  })

  it('deletes nothing when it is incremental, finds the source unchanged, or fails', async () => {
    const source = await service.createSource()
    service.scriptCrawls(yieldPages([{ rows: createRows(0, 5) }]))
    await service.runSync(source, 'full')
    service.scriptCrawls(yieldPages([{ rows: createRows(0, 1) }]))
    expect((await service.runSync(source)).counts.deleted).toBe(0)
    service.scriptCrawls(yieldPages([], 'unchanged'))
    expect((await service.runSync(source, 'full')).counts.deleted).toBe(0)
    service.scriptCrawls(async function* () {
      yield { rows: createRows(0, 1) }
      throw new JobFailure({ code: 'schema', message: 'It breaks', retryable: false })
    })
    expect((await service.runSync(source, 'full')).counts.deleted).toBe(0)
    expect(await listKeys(source)).toEqual(createIds(0, 5))
    expect((await service.getSource(source)).schema).toEqual([{ name: 'id', type: 'number' }])
  })

  it('deletes thousands of records in steps and counts each once, also after an interruption', async () => {
    const source = await service.createSource()
    service.scriptCrawls(yieldPages([{ rows: createRows(0, 2600) }]))
    await service.runSync(source, 'full')
    service.scriptCrawls(
      yieldPagesThenFail([{ rows: createRows(0, 1200) }]),
      yieldPages([{ rows: createRows(0, 1000) }, { rows: createRows(2590, 2700) }]),
    )
    const sync = await service.waitForSync(await service.startSync(source, 'full', { allow_deletions: true }))
    expect(sync.counts).toEqual(createCounts(1110, 100, 0, 1590))
    expect((await service.getSource(source)).record_count).toBe(1110)
    expect(await listKeys(source)).toEqual([...createIds(0, 1000), ...createIds(2590, 2700)].sort())
  })

  it('saves its cursor only once all missing records are deleted', async () => {
    const source = await service.createSource()
    service.scriptCrawls(yieldPages([{ rows: createRows(0, 5), cursor: 'first' }]))
    await service.runSync(source, 'full')
    // The interrupted attempt stored its last page but deleted nothing; from its cursor the source is unchanged.
    service.scriptCrawls(
      yieldPagesThenFail([{ rows: createRows(0, 3), cursor: 'second' }]),
      async function* ({ cursor }) {
        if (cursor === 'second') return 'unchanged'
        yield { rows: createRows(0, 3), cursor: 'second' }
        return 'complete'
      },
    )
    const sync = await service.runSync(source, 'full')
    expect(sync).toMatchObject({ counts: createCounts(3, 0, 0, 2), cursor_before: 'first', cursor_after: 'second' })
    expect(await listKeys(source)).toEqual(['0', '1', '2'])
  })
})
