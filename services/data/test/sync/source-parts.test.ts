import { afterAll, expect, it } from '@jest/globals'
import { JobFailure } from '@wp/jobs'
import { eventually } from '@wp/testkit'
import type { Row } from '../../src/parsers/row.ts'
import type { Page } from '../../src/providers/source-reader.ts'
import { queryAsWorker } from '../support/database.ts'
import { type CrawlService, createRow, startCrawlService } from '../support/sources/scripted-crawls.ts'

const service = await startCrawlService()
afterAll(() => service.stop())

/** The parts of a source by name: their version and the ids of their rows. */
type Bucket = Record<string, { version: string; ids: readonly (string | Row)[]; isUnreadable?: boolean }>

const toRow = (id: string | Row) => (typeof id === 'string' ? createRow({ id, title: `walrus ${id}` }) : id)
/** Names of the parts that were read, in order. */
let readParts: string[] = []

/**
 * Scripts crawls that read a bucket like the S3 reader. @param until the first crawl fails in the middle of this part
 */
function scriptBucket(parts: Bucket, until?: string) {
  service.scriptCrawls(...(until === undefined ? [] : [createBucketCrawl(parts, until)]), createBucketCrawl(parts))
  readParts = []
}
const createBucketCrawl = (parts: Bucket, until?: string): Parameters<CrawlService['scriptCrawls']>[0] =>
  async function* ({ findPartVersions }): AsyncGenerator<Page, 'complete'> {
    const versions = await findPartVersions(Object.keys(parts))
    for (const [part, { version, ids, isUnreadable }] of Object.entries(parts)) {
      if (versions.get(part) === version) yield { rows: [], unchangedParts: [part] }
      else {
        readParts.push(part)
        const half = Math.floor(ids.length / 2)
        yield { rows: ids.slice(0, half).map(toRow), part }
        if (part === until) throw Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' })
        const rows = ids.slice(half).map(toRow)
        yield isUnreadable
          ? { rows: [...rows, { line: 1, reason: 'breaks off' }], part, unchangedParts: [part] }
          : { rows, part, completedPart: { version } }
      }
    }
    return 'complete'
  }

const listKeys = async (source: string) => Object.keys(await service.readRecords(source)).sort()
const listPartNames = async (source: string) =>
  (
    await queryAsWorker<{ name: string }>(
      service.env,
      'SELECT name FROM source_parts WHERE data_source_id = $1 ORDER BY name',
      [source],
    )
  ).map(({ name }) => name)
const createCounts = (seen: number, created: number, updated: number, deleted: number, failed = 0) => ({
  seen,
  created,
  updated,
  deleted,
  failed,
})
/** Returns the document count of the search index, which must equal the record count. */
async function countDocuments(source: string) {
  const [found] = await queryAsWorker<{ documents: number; record_count: number }>(
    service.env,
    'SELECT documents, record_count FROM search_indexes JOIN data_sources USING (data_source_id) WHERE data_source_id = $1',
    [source],
  )
  expect(found?.documents).toBe(found?.record_count)
  return found?.documents
}

it('reads changed parts again, and deletes records missing from a part and those of missing parts', async () => {
  const source = await service.createSource()
  const first: Bucket = {
    a: { version: '1', ids: ['1', createRow({ id: '2', title: 'walrus 2', floor: 7 })] },
    b: { version: '1', ids: ['3', '4', '5'] },
    c: { version: '1', ids: ['6', '7'] },
  }
  scriptBucket(first)
  expect((await service.runSync(source, 'full')).counts).toEqual(createCounts(7, 7, 0, 0))
  scriptBucket(first)
  expect((await service.runSync(source, 'full')).counts).toEqual(createCounts(0, 0, 0, 0))
  expect(readParts).toEqual([])
  // Two rows of b and all of c are missing.
  scriptBucket({ a: { version: '1', ids: [] }, b: { version: '2', ids: ['3', '8'] } })
  expect((await service.runSync(source, 'full')).counts).toEqual(createCounts(2, 1, 0, 4))
  expect(readParts).toEqual(['b'])
  expect(await listKeys(source)).toEqual(['1', '2', '3', '8'])
  expect(await listPartNames(source)).toEqual(['a', 'b'])
  expect(await service.searchTitles('walrus')).toEqual(['walrus 1', 'walrus 2', 'walrus 3', 'walrus 8'])
  expect(await countDocuments(source)).toBe(4)
  // Fields of parts that were not read are kept.
  expect((await service.getSource(source)).schema).toHaveLength(3)
})

it('keeps a record, without counting an update, when it moves to another part', async () => {
  const source = await service.createSource()
  scriptBucket({ a: { version: '1', ids: ['1', '2'] }, b: { version: '1', ids: ['3'] } })
  await service.runSync(source, 'full')
  const [before] = (await service.request('GET', `/v1/data/sources/${source}/records?key=2`)).body.data
  scriptBucket({ b: { version: '2', ids: ['2', '3'] }, a: { version: '2', ids: ['1'] } })
  expect((await service.runSync(source, 'full')).counts).toEqual(createCounts(3, 0, 0, 0))
  const [after] = (await service.request('GET', `/v1/data/sources/${source}/records?key=2`)).body.data
  expect(after).toEqual(before)
  // Still assigned to its first part, the record would be deleted.
  scriptBucket({ b: { version: '2', ids: [] } })
  expect((await service.runSync(source, 'full')).counts).toEqual(createCounts(0, 0, 0, 1))
  expect(await listKeys(source)).toEqual(['2', '3'])
})

it('keeps the records of an unreadable part and reads it again next time', async () => {
  const source = await service.createSource()
  scriptBucket({ a: { version: '1', ids: ['1', '2'] } })
  await service.runSync(source, 'full')
  scriptBucket({ a: { version: '2', ids: ['1'], isUnreadable: true } })
  expect(await service.runSync(source, 'full')).toMatchObject({
    counts: createCounts(2, 0, 0, 0, 1),
    bad_rows: [{ line: 1, reason: 'breaks off', part: 'a' }],
  })
  expect(await listKeys(source)).toEqual(['1', '2'])
  scriptBucket({ a: { version: '2', ids: ['1'] } })
  expect((await service.runSync(source, 'full')).counts).toEqual(createCounts(1, 0, 0, 1))
})

it('deletes in a full sync what was missing during incremental syncs', async () => {
  const source = await service.createSource()
  const [complete, reduced] = [
    { version: '1', ids: ['1', '2'] },
    { version: '2', ids: ['1'] },
  ]
  scriptBucket({ a: complete, b: { version: '1', ids: ['3'] } })
  await service.runSync(source)
  scriptBucket({ a: reduced, b: { version: '1', ids: [] } })
  expect((await service.runSync(source)).counts).toEqual(createCounts(1, 0, 0, 0))
  expect(readParts).toEqual(['a'])
  scriptBucket({ a: reduced, b: { version: '1', ids: [] } })
  expect((await service.runSync(source, 'full')).counts).toEqual(createCounts(1, 0, 0, 1))
  // A part that the incremental sync read for the first time has no missing records.
  expect(readParts).toEqual(['a'])
  expect(await listKeys(source)).toEqual(['1', '3'])
})

it.each(['full', 'incremental'] as const)(
  'resumes after completed parts and counts each row once when a %s crawl is interrupted',
  async (mode) => {
    const source = await service.createSource()
    const bad: Row = { line: 3, reason: 'is broken' }
    scriptBucket(
      {
        unreadable: { version: '1', ids: ['0', bad], isUnreadable: true },
        a: { version: '1', ids: ['1', '2', bad] },
        b: { version: '1', ids: ['3', bad, '4', '5'] },
        c: { version: '1', ids: ['6', '7'] },
      },
      'b',
    )
    const sync = await service.runSync(source, mode)
    expect(readParts).toEqual(['unreadable', 'a', 'b', 'unreadable', 'b', 'c'])
    expect(sync.counts).toEqual(createCounts(12, 8, 0, 0, 4))
    expect(sync.bad_rows.map(({ part }: { part: string }) => part).sort()).toEqual([
      'a',
      'b',
      'unreadable',
      'unreadable',
    ])
    expect(await listKeys(source)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7'])
    expect(await countDocuments(source)).toBe(8)
  },
)

it('deletes thousands of records of a part in steps, and completes the part only after them', async () => {
  const source = await service.createSource()
  const allIds = Array.from({ length: 2200 }, (_, id) => `${id}`)
  scriptBucket({ a: { version: '1', ids: allIds }, b: { version: '1', ids: ['x'] } })
  await service.runSync(source, 'full')
  scriptBucket({ b: { version: '1', ids: [] }, a: { version: '2', ids: allIds.slice(0, 10) } }, 'a')
  const allowed = async () => service.waitForSync(await service.startSync(source, 'full', { allow_deletions: true }))
  expect((await allowed()).counts).toEqual(createCounts(10, 0, 0, 2190))
  expect(await countDocuments(source)).toBe(11)
  scriptBucket({})
  expect((await allowed()).counts).toEqual(createCounts(0, 0, 0, 11))
  expect([await listKeys(source), await listPartNames(source)]).toEqual([[], []])
})

it('deletes nothing of its parts before the whole source was read', async () => {
  const source = await service.createSource()
  const ids = Array.from({ length: 40 }, (_, id) => `${id}`)
  scriptBucket({ a: { version: '1', ids }, b: { version: '1', ids: ['x', 'y'] } })
  await service.runSync(source, 'full')
  service.scriptCrawls(async function* (): AsyncGenerator<Page, 'complete'> {
    yield { rows: ids.slice(0, 30).map(toRow), part: 'a', completedPart: { version: '2' } }
    throw new JobFailure({ code: 'schema', message: 'It breaks off', retryable: false })
  })
  expect((await service.runSync(source, 'full')).counts.deleted).toBe(0)
  expect(await listKeys(source)).toHaveLength(42)
  // The part is not read again, and the records it lacks are deleted at the end.
  scriptBucket({ a: { version: '2', ids: ids.slice(0, 30) }, b: { version: '1', ids: [] } })
  expect((await service.runSync(source, 'full')).counts).toEqual(createCounts(0, 0, 0, 10))
  expect(readParts).toEqual([])
})

it('fails and keeps every record when a part has no row any more', async () => {
  const source = await service.createSource()
  scriptBucket({ a: { version: '1', ids: ['1', '2'] }, b: { version: '1', ids: ['3'] } })
  await service.runSync(source, 'full')
  scriptBucket({ a: { version: '2', ids: [] }, b: { version: '1', ids: [] } })
  expect(await service.runSync(source, 'full')).toMatchObject({
    status: 'failed',
    error: { code: 'too_many_deletions', message: expect.stringContaining('"a"') },
  })
  expect(await listKeys(source)).toEqual(['1', '2', '3'])
})

it('keeps equal rows of two parts without a key apart, also when a part is replaced', async () => {
  const source = await service.createSource({ config: {} })
  const swipe = () => createRow({ who: 'Ann', door: 'North' })
  scriptBucket({ a: { version: '1', ids: [swipe(), swipe()] }, b: { version: '1', ids: [swipe()] } })
  expect((await service.runSync(source, 'full')).counts).toEqual(createCounts(3, 3, 0, 0))
  scriptBucket({ a: { version: '2', ids: [swipe(), swipe(), swipe()] }, b: { version: '1', ids: [] } })
  expect((await service.runSync(source, 'full')).counts).toEqual(createCounts(3, 1, 0, 0))
  scriptBucket({ a: { version: '3', ids: [swipe()] }, b: { version: '1', ids: [] } })
  expect((await service.runSync(source, 'full')).counts).toEqual(createCounts(1, 0, 0, 2))
})

it('deletes the parts of a deleted source', async () => {
  const source = await service.createSource()
  scriptBucket({ a: { version: '1', ids: ['1'] } })
  await service.runSync(source)
  await service.request('DELETE', `/v1/data/sources/${source}`)
  await eventually(async () => (await listPartNames(source)).length + (await listKeys(source)).length === 0)
})
