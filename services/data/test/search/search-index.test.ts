import { afterAll, describe, expect, it } from '@jest/globals'
import { type Database, inWorkerTransaction, type Query } from '@wp/database'
import { eventually, openWorkerPool } from '@wp/testkit'
import { segmentMergeSchedule } from '../../src/search/index/segment-merge.ts'
import { deleteRecords } from '../../src/store/records/delete-records.ts'
import { type LockedSource, lockSource } from '../../src/store/sources/locked-source.ts'
import { reindexBatch } from '../../src/sync/reindex.ts'
import { queryAsWorker } from '../support/database.ts'
import { computeReferenceScores, type ReferenceDocument } from '../support/reference-bm25.ts'
import { createSearchWorkspace, type SearchWorkspace } from '../support/search-workspace.ts'
import { startDataService } from '../support/service.ts'

const service = await startDataService()
afterAll(() => service.stop())

/** Creates pseudorandom texts of few words, so that each word is in many of them. Equal seeds give equal texts. */
function createTexts(count: number, seed: number): ReferenceDocument[] {
  let state = seed
  const next = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor(state / 65_536) % below
  }
  const words = [
    'oak',
    'desks',
    'floor',
    'running',
    'IL-10',
    'state-of-the-art',
    'café',
    'rooms',
    'room',
    'the',
    '4711',
    'lift.Rooms',
    'B12',
  ]
  const text = (length: number) => Array.from({ length }, () => words[Math.min(next(13), next(13))]).join(' ')
  return Array.from({ length: count }, (_, index) => ({
    key: `${index}`,
    title: index % 7 === 0 ? null : text(1 + next(4)),
    text: text(next(40)),
  }))
}

const toRows = (texts: readonly ReferenceDocument[]) =>
  texts.map(({ key, title, text }) => ({ id: key, title, text, url: `https://example.com/${key}` }))
const config = { title_field: 'title', text_field: 'text' }
const queries = [
  'oak ',
  'room floor running ',
  'the café is state-of-the-art. ',
  'IL-10 4711 oak oak desk ',
  'lift rooms of the cafe floor ',
  'nowhere oak ',
  'B-12 IL10 rooms ',
]

async function readScores(workspace: SearchWorkspace, query: string): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { data, pagination } = await workspace.search({ query, limit: 100, ...(cursor === '' ? {} : { cursor }) })
    for (const { url, score } of data) found.set(url.split('/').at(-1), score)
    cursor = pagination.next_cursor
  }
  return found
}

async function expectReferenceScores(workspace: SearchWorkspace, texts: readonly ReferenceDocument[]): Promise<void> {
  for (const query of queries) {
    const expected = await computeReferenceScores(service.env.DATABASE_WORKER_URL, texts, query)
    const found = await readScores(workspace, query)
    expect([...found.keys()].sort()).toEqual([...expected.keys()].sort())
    for (const [key, score] of found) expect(Math.abs(score - (expected.get(key) ?? 0))).toBeLessThan(1e-6)
  }
}

/** Runs work in a transaction that holds the lock of a source. */
const inSourceTransaction = async (
  workspace: SearchWorkspace,
  id: string,
  work: (query: Query, source: LockedSource) => Promise<void>,
) => {
  const pool = openWorkerPool(service.env.DATABASE_WORKER_URL ?? '', 1)
  try {
    await inWorkerTransaction(pool, async (_client, query) =>
      work(query, await lockSource(query, workspace.workspaceId, id)),
    )
  } finally {
    await pool.end()
  }
}

const readIndex = async (sourceId: string) => {
  const [index] = await queryAsWorker<{
    documents: number
    length: number
    segments: number
    merged_segments: number
    rows: number
  }>(
    service.env,
    `SELECT documents, length::integer, segments, merged_segments,
            (SELECT count(*)::integer FROM search_postings AS p WHERE p.index_id = i.index_id) AS rows
       FROM search_indexes AS i WHERE data_source_id = $1`,
    [sourceId],
  )
  return index
}

describe('the score of a hit', () => {
  it('equals the BM25 reference after inserts, updates, deletions and segment merges', async () => {
    const workspace = createSearchWorkspace(service)
    const texts = createTexts(220, 1)
    const id = await workspace.createSource(toRows(texts), config)
    await expectReferenceScores(workspace, texts)

    const changed = createTexts(220, 2).map((text, at) => (at % 3 === 0 ? text : (texts[at] ?? text)))
    await workspace.upload(id, toRows(changed))
    await expectReferenceScores(workspace, changed)

    const deletedKeys = changed.filter((_, at) => at % 5 === 0).map(({ key }) => key)
    await inSourceTransaction(workspace, id, async (query, source) => {
      const rows = await query<{ id: string }>(
        'SELECT record_id AS id FROM data_records WHERE data_source_id = $1 AND key = ANY ($2)',
        [id, deletedKeys],
      )
      expect(
        await deleteRecords(
          query,
          source,
          rows.map((row) => row.id),
        ),
      ).toMatchObject({ records: 44 })
    })
    const remaining = changed.filter(({ key }) => !deletedKeys.includes(key))
    await expectReferenceScores(workspace, remaining)

    for (let at = 0; at < 14; at++)
      await workspace.upload(
        id,
        toRows(remaining.slice(at, at + 1)).map((row) => ({ ...row, text: `${row.text} oak` })),
      )
    const updated = remaining.map((text, at) => (at < 14 ? { ...text, text: `${text.text} oak` } : text))
    await expectReferenceScores(workspace, updated)
    const merged = await eventually(async () => {
      const index = await readIndex(id)
      return index !== undefined && index.merged_segments >= 16 && index
    })
    await expectReferenceScores(workspace, updated)
    const lexemes = await queryAsWorker<{ lexemes: number; length: number; documents: number }>(
      service.env,
      `SELECT count(DISTINCT lexeme)::integer AS lexemes, count(DISTINCT record_id)::integer AS documents,
              sum(cardinality(positions) + cardinality(array_positions(weights, 'A')))
                FILTER (WHERE to_tsvector('public.search_english', lexeme) <> '')::integer AS length
         FROM data_records, unnest(words) WHERE data_source_id = $1`,
      [id],
    )
    expect([{ documents: merged.documents, length: merged.length }]).toMatchObject([
      { documents: lexemes[0]?.documents, length: lexemes[0]?.length },
    ])
    expect(merged.rows).toBeLessThanOrEqual((lexemes[0]?.lexemes ?? 0) * (1 + merged.segments - merged.merged_segments))
  })
})

describe('the search index', () => {
  it('follows changes of a record', async () => {
    const workspace = createSearchWorkspace(service)
    const id = await workspace.createSource([{ id: '1', title: 'Oak', text: 'desk' }], config)
    expect(await workspace.searchTitles('desk ')).toEqual(['Oak'])
    await workspace.upload(id, [{ id: '1', title: 'Beech', text: 'chair' }])
    expect([await workspace.searchTitles('desk '), await workspace.searchTitles('chair ')]).toEqual([[], ['Beech']])
    await workspace.upload(id, [{ id: '1' }])
    expect(await workspace.searchTitles('beech chair ')).toEqual([])
    expect(await readIndex(id)).toMatchObject({ documents: 0, length: 0 })
    await workspace.upload(id, [
      { id: '1', title: 'Elm', text: 'shelf' },
      { id: '1', title: 'Ash', text: 'shelf' },
    ])
    expect([await workspace.searchTitles('shelf '), await workspace.searchTitles('elm ')]).toEqual([['Ash'], []])
    expect(await readIndex(id)).toMatchObject({ documents: 1, length: 3 })
  })

  it('writes no segment when records have no words', async () => {
    const workspace = createSearchWorkspace(service)
    const id = await workspace
      .createSource(
        [
          { id: '1', people: 3 },
          { id: '2', at: '2026-01-05' },
        ],
        { key: 'people' },
      )
      .catch(() => '')
    expect(id).toBe('')
    const other = await workspace.createSource([
      { id: 7.5, occupied: true },
      { id: 8.5, at: '2026-01-05' },
    ])
    expect(await readIndex(other)).toMatchObject({ documents: 0, segments: 0, rows: 0 })
  })

  it('is rewritten with the current config by a reindex', async () => {
    const workspace = createSearchWorkspace(service)
    const id = await workspace.createSource([{ id: '1', a: 'Sitzungen', b: 'Stühle' }], {
      title_field: 'a',
      text_field: 'a',
    })
    expect(await workspace.searchTitles('sitzung ', { language: 'german' })).toEqual([])
    await workspace.request('PATCH', `/v1/data/sources/${id}`, { config: { text_field: 'b', language: 'german' } })
    await inSourceTransaction(workspace, id, async (query, source) => {
      expect(await reindexBatch(query, source, undefined)).toMatchObject({ seen: 1, updated: 1 })
      expect(await reindexBatch(query, source, undefined)).toMatchObject({ seen: 1, updated: 0 })
    })
    expect([await workspace.searchTitles('sitzung '), await workspace.searchTitles('stuhl ')]).toEqual([
      ['Sitzungen'],
      ['Sitzungen'],
    ])
    expect(await readIndex(id)).toMatchObject({ documents: 1, length: 3 })
  })

  it('is hidden with its deleted source at once, and purged later', async () => {
    const workspace = createSearchWorkspace(service)
    const id = await workspace.createSource([{ id: '1', title: 'Oak', text: 'desk' }])
    const other = await workspace.createSource([{ id: '1', title: 'Elm', text: 'desk' }])
    const alone = createSearchWorkspace(service)
    await alone.createSource([{ id: '1', title: 'Elm', text: 'desk' }])
    await workspace.request('DELETE', `/v1/data/sources/${id}`)
    const { data, meta } = await workspace.search({ query: 'desk ' })
    expect([data.map(({ data_source_id }: { data_source_id: string }) => data_source_id), meta.total]).toEqual([
      [other],
      1,
    ])
    expect(data[0].score).toBe((await alone.search({ query: 'desk ' })).data[0].score)
    await eventually(async () => (await readIndex(id)) === undefined)
    const [orphaned] = await queryAsWorker<{ rows: number }>(
      service.env,
      `SELECT count(*)::integer AS rows FROM search_postings WHERE workspace_id = $1
          AND NOT EXISTS (SELECT FROM search_indexes AS i WHERE i.index_id = search_postings.index_id)`,
      [workspace.workspaceId],
    )
    expect(orphaned).toEqual({ rows: 0 })
  })

  it('returns current results for cached posting lists that changed', async () => {
    const workspace = createSearchWorkspace(service)
    const rows = Array.from({ length: 2_500 }, (_, index) => ({ id: `${index}`, title: `Desk ${index}`, text: 'oak' }))
    const id = await workspace.createSource(rows, config)
    const total = async () => (await workspace.search({ query: 'oak ', limit: 1 })).meta.total
    expect([await total(), await total()]).toEqual([2_500, 2_500])
    await workspace.upload(
      id,
      rows.slice(0, 700).map((row) => ({ ...row, text: 'elm' })),
    )
    expect([await total(), await total()]).toEqual([1_800, 1_800])
    for (let at = 0; at < 12; at++) await workspace.upload(id, [{ id: `${at}`, title: 'Desk', text: 'oak' }])
    // The last segment is large enough to be cached; the merge replaces it.
    await workspace.upload(
      id,
      rows.slice(1_500).map((row) => ({ ...row, text: 'oak oak' })),
    )
    expect([await total(), await total()]).toEqual([1_812, 1_812])
    await eventually(async () => ((await readIndex(id))?.merged_segments ?? 0) >= 16)
    expect([await total(), await total()]).toEqual([1_812, 1_812])
  })

  it('is merged after few segments once it rests', async () => {
    const workspace = createSearchWorkspace(service)
    const id = await workspace.createSource([], config)
    for (let nth = 0; nth < 4; nth++) await workspace.upload(id, [{ id: `${nth}`, title: 'Desk', text: 'oak' }])
    const worker = openWorkerPool(service.env.DATABASE_WORKER_URL ?? '', 1)
    const { pass } = segmentMergeSchedule({ database: { worker } })
    for (let nth = 0; nth < 8; nth++) await pass(new AbortController().signal)
    await worker.end()
    expect(await readIndex(id)).toMatchObject({ segments: 4, merged_segments: 4, rows: 2 })
  })

  it('is looked for by replicas out of step when none has segments to merge', async () => {
    // a list of no candidates, the one statement of a pass without them
    const worker = { query: async () => ({ rows: [] }) } as unknown as Database['worker']
    const { pass } = segmentMergeSchedule({ database: { worker } })
    const pauses = await Promise.all(Array.from({ length: 5 }, () => pass(new AbortController().signal)))
    expect(new Set(pauses).size).toBe(5)
    expect(pauses.every((pauseMs) => Number(pauseMs) >= 7_500 && Number(pauseMs) <= 12_500)).toBe(true)
  })

  it('stays consistent when many sources are written at once', async () => {
    const workspace = createSearchWorkspace(service)
    const texts = toRows(createTexts(300, 3))
    const ids = await Promise.all(Array.from({ length: 8 }, () => workspace.createSource([], config)))
    await Promise.all(
      ids.flatMap((id) => [workspace.upload(id, texts.slice(0, 200)), workspace.upload(id, texts.slice(100))]),
    )
    const indexes = await Promise.all(ids.map(readIndex))
    expect(new Set(indexes.map((index) => `${index?.documents} ${index?.length}`)).size).toBe(1)
    expect((await workspace.search({ query: 'oak ' })).meta.total % 8).toBe(0)
  })
})
