import { afterAll, expect, it } from '@jest/globals'
import { connectDatabase, newId } from '@wp/database'
import { deleteExpired } from '@wp/jobs/background'
import type { RankedHit } from '../../src/store/search/ranked-hits.ts'
import { findSearchView, readRankedHits, saveSearchView, viewRetention } from '../../src/store/search/search-views.ts'
import { queryAsWorker } from '../support/database.ts'
import { startDataService } from '../support/service.ts'

const service = await startDataService()
const url = service.env.DATABASE_WORKER_URL ?? ''
const database = connectDatabase({ url, workerUrl: url, prisma: () => ({}), shard: '' })
afterAll(async () => {
  await database.close()
  await service.stop()
})

const documents = (count: number): RankedHit[] =>
  Array.from({ length: count }, (_, document) => ({ document, score: 1 / (document + 3) }))
const save = (workspaceId: string, hits: readonly RankedHit[], kind: 'document' | 'record' = 'document') =>
  saveSearchView(database.worker, workspaceId, { firstHits: '', seenAt: new Date(0), ranking: { kind } }, hits)
const find = (workspaceId: string, viewId: string) =>
  database.read({ workspaceId }, (_db, query) => findSearchView<object>(query, workspaceId, viewId))

it('a stored ranking returns its hits of either kind with exact scores, from any position', async () => {
  const workspaceId = newId('ws')
  const records = Array.from({ length: 5 }, (_, nth) => ({ recordId: newId('rec'), score: -nth / 7 }))
  for (const [kind, hits] of [
    ['document', documents(3_000)],
    ['record', records],
  ] as const) {
    const view = await find(workspaceId, await save(workspaceId, hits, kind))
    if (view === undefined) throw new Error('the view is missing')
    expect(view.length).toBe(hits.length)
    const read = (start: number, count: number) =>
      database.read({ workspaceId }, (_db, query) => readRankedHits(query, view, start, count))
    expect(await read(0, hits.length)).toEqual(hits)
    expect(await read(2, 2)).toEqual(hits.slice(2, 4))
    expect(await read(hits.length, 10)).toEqual([])
  }
})

it('the oldest rankings of a workspace are deleted when all together exceed 16 MiB, and no others', async () => {
  const [busy, calm] = [newId('ws'), newId('ws')]
  const kept = await save(calm, documents(10))
  const views: string[] = []
  // 3.6 MB each.
  for (let nth = 0; nth < 6; nth++) views.push(await save(busy, documents(300_000)))
  const found = await Promise.all(views.map((viewId) => find(busy, viewId)))
  expect(found.map((view) => view !== undefined)).toEqual([false, false, true, true, true, true])
  expect(await find(calm, kept)).toBeDefined()
  expect(await find(busy, kept)).toBeUndefined()
})

it('expired rankings are not found, and are deleted', async () => {
  const workspaceId = newId('ws')
  const [old, fresh] = [await save(workspaceId, documents(1)), await save(newId('ws'), documents(1))]
  await queryAsWorker(
    service.env,
    `UPDATE search_views SET created_at = now() - interval '61 minutes' WHERE view_id = $1`,
    [old],
  )
  expect(await find(workspaceId, old)).toBeUndefined()
  expect(await deleteExpired(database.worker, viewRetention)).toBe(1)
  const rows = await queryAsWorker(service.env, 'SELECT FROM search_views WHERE view_id = ANY ($1)', [[old, fresh]])
  expect(rows).toHaveLength(1)
})
