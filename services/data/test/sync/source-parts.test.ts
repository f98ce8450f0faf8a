import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import type { Row } from '../../src/parsers/row.ts'
import type { Page } from '../../src/providers/source-reader.ts'
import { queryAsWorker } from '../support/database.ts'
import { type CrawlService, row, startCrawlService } from '../support/scripted-crawls.ts'

let service: CrawlService
beforeAll(async () => {
  service = await startCrawlService()
})
afterAll(() => service.stop())

/** The parts of a source, by name: a version and the ids in it. */
type Bucket = Record<string, { version: string; ids: readonly (string | Row)[]; isUnreadable?: boolean }>

const rowOf = (id: string | Row) => (typeof id === 'string' ? row({ id, title: `walrus ${id}` }) : id)
/** Which parts were read, in the order they were. */
let read: string[] = []

/** Reads a bucket as the reader of S3 does. @param until the part it breaks off in, in the middle */
function bucket(parts: Bucket, until?: string) {
  service.scriptCrawls(...(until === undefined ? [] : [crawlOf(parts, until)]), crawlOf(parts))
  read = []
}
const crawlOf = (parts: Bucket, until?: string): Parameters<CrawlService['scriptCrawls']>[0] =>
  async function* ({ findPartVersions }): AsyncGenerator<Page, 'complete'> {
    const known = await findPartVersions(Object.keys(parts))
    for (const [part, { version, ids, isUnreadable }] of Object.entries(parts)) {
      if (known.get(part) === version) yield { rows: [], unchangedParts: [part] }
      else {
        read.push(part)
        const half = Math.floor(ids.length / 2)
        yield { rows: ids.slice(0, half).map(rowOf), part }
        if (part === until) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
        const rows = ids.slice(half).map(rowOf)
        yield isUnreadable
          ? { rows: [...rows, { line: 1, reason: 'breaks off' }], part, unchangedParts: [part] }
          : { rows, part, completedPart: { version } }
      }
    }
    return 'complete'
  }

const keys = async (source: string) => Object.keys(await service.readRecords(source)).sort()
const names = async (source: string) =>
  (
    await queryAsWorker<{ name: string }>(
      service.env,
      'SELECT name FROM source_parts WHERE data_source_id = $1 ORDER BY name',
      [source],
    )
  ).map(({ name }) => name)
const counts = (seen: number, created: number, updated: number, deleted: number, failed = 0) => ({
  ...{ seen, created, updated, deleted, failed },
})
/** Statistics of search, which are those of the records. */
async function documents(source: string) {
  const [found] = await queryAsWorker<{ documents: number; record_count: number }>(
    service.env,
    'SELECT documents, record_count FROM search_indexes JOIN data_sources USING (data_source_id) WHERE data_source_id = $1',
    [source],
  )
  expect(found?.documents).toBe(found?.record_count)
  return found?.documents
}

it('reads parts again when they have changed, and removes what has gone from them and with them', async () => {
  const source = await service.createSource()
  const first: Bucket = {
    a: { version: '1', ids: ['1', row({ id: '2', title: 'walrus 2', floor: 7 })] },
    b: { version: '1', ids: ['3', '4', '5'] },
    c: { version: '1', ids: ['6', '7'] },
  }
  bucket(first)
  expect((await service.sync(source, 'full')).counts).toEqual(counts(7, 7, 0, 0))
  bucket(first)
  expect((await service.sync(source, 'full')).counts).toEqual(counts(0, 0, 0, 0))
  expect(read).toEqual([])
  // b has lost two, c is gone.
  bucket({ a: { version: '1', ids: [] }, b: { version: '2', ids: ['3', '8'] } })
  expect((await service.sync(source, 'full')).counts).toEqual(counts(2, 1, 0, 4))
  expect(read).toEqual(['b'])
  expect(await keys(source)).toEqual(['1', '2', '3', '8'])
  expect(await names(source)).toEqual(['a', 'b'])
  expect(await service.searchTitles('walrus')).toEqual(['walrus 1', 'walrus 2', 'walrus 3', 'walrus 8'])
  expect(await documents(source)).toBe(4)
  // Fields of what was not read are still there.
  expect((await service.source(source)).schema).toHaveLength(3)
})

it('leaves a record that another part has taken over, and tells nobody', async () => {
  const source = await service.createSource()
  bucket({ a: { version: '1', ids: ['1', '2'] }, b: { version: '1', ids: ['3'] } })
  await service.sync(source, 'full')
  const [before] = (await service.request('GET', `/v1/data/sources/${source}/records?key=2`)).body.data
  bucket({ b: { version: '2', ids: ['2', '3'] }, a: { version: '2', ids: ['1'] } })
  expect((await service.sync(source, 'full')).counts).toEqual(counts(3, 0, 0, 0))
  const [after] = (await service.request('GET', `/v1/data/sources/${source}/records?key=2`)).body.data
  expect(after).toEqual(before)
  // With its first part it would have gone.
  bucket({ b: { version: '2', ids: [] } })
  expect((await service.sync(source, 'full')).counts).toEqual(counts(0, 0, 0, 1))
  expect(await keys(source)).toEqual(['2', '3'])
})

it('keeps what it has of a part that cannot be read, and tries again', async () => {
  const source = await service.createSource()
  bucket({ a: { version: '1', ids: ['1', '2'] } })
  await service.sync(source, 'full')
  bucket({ a: { version: '2', ids: ['1'], isUnreadable: true } })
  expect(await service.sync(source, 'full')).toMatchObject({
    counts: counts(2, 0, 0, 0, 1),
    bad_rows: [{ line: 1, reason: 'breaks off', part: 'a' }],
  })
  expect(await keys(source)).toEqual(['1', '2'])
  bucket({ a: { version: '2', ids: ['1'] } })
  expect((await service.sync(source, 'full')).counts).toEqual(counts(1, 0, 0, 1))
})

it('removes when it is full what was gone while syncs were incremental', async () => {
  const source = await service.createSource()
  const [one, two] = [
    { version: '1', ids: ['1', '2'] },
    { version: '2', ids: ['1'] },
  ]
  bucket({ a: one, b: { version: '1', ids: ['3'] } })
  await service.sync(source)
  bucket({ a: two, b: { version: '1', ids: [] } })
  expect((await service.sync(source)).counts).toEqual(counts(1, 0, 0, 0))
  expect(read).toEqual(['a'])
  bucket({ a: two, b: { version: '1', ids: [] } })
  expect((await service.sync(source, 'full')).counts).toEqual(counts(1, 0, 0, 1))
  // What an incremental sync read first has nothing that could be gone.
  expect(read).toEqual(['a'])
  expect(await keys(source)).toEqual(['1', '3'])
})

it.each(['full', 'incremental'] as const)(
  'goes on behind the parts it has read, and counts as if it had not been cut off (%s)',
  async (mode) => {
    const source = await service.createSource()
    const bad: Row = { line: 3, reason: 'is broken' }
    bucket(
      {
        unreadable: { version: '1', ids: ['0', bad], isUnreadable: true },
        a: { version: '1', ids: ['1', '2', bad] },
        b: { version: '1', ids: ['3', bad, '4', '5'] },
        c: { version: '1', ids: ['6', '7'] },
      },
      'b',
    )
    const sync = await service.sync(source, mode)
    expect(read).toEqual(['unreadable', 'a', 'b', 'unreadable', 'b', 'c'])
    expect(sync.counts).toEqual(counts(12, 8, 0, 0, 4))
    expect(sync.bad_rows.map(({ part }: { part: string }) => part).sort()).toEqual([
      'a',
      'b',
      'unreadable',
      'unreadable',
    ])
    expect(await keys(source)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7'])
    expect(await documents(source)).toBe(8)
  },
)

it('removes thousands from a part, in steps, and does not take it for read before that is done', async () => {
  const source = await service.createSource()
  const many = Array.from({ length: 3500 }, (_, id) => `${id}`)
  bucket({ a: { version: '1', ids: many }, b: { version: '1', ids: ['x'] } })
  await service.sync(source, 'full')
  bucket({ b: { version: '1', ids: [] }, a: { version: '2', ids: many.slice(0, 10) } }, 'a')
  const sync = await service.sync(source, 'full')
  expect(sync.counts).toEqual(counts(10, 0, 0, 3490))
  expect(await documents(source)).toBe(11)
  bucket({})
  expect((await service.sync(source, 'full')).counts).toEqual(counts(0, 0, 0, 11))
  expect([await keys(source), await names(source)]).toEqual([[], []])
})

it('forgets its parts with the source', async () => {
  const source = await service.createSource()
  bucket({ a: { version: '1', ids: ['1'] } })
  await service.sync(source)
  await service.request('DELETE', `/v1/data/sources/${source}`)
  await eventually(async () => (await names(source)).length + (await keys(source)).length === 0)
})
