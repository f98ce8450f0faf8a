import { afterAll, describe, expect, it } from '@jest/globals'
import { listNewestRecords } from '../../src/store/search/newest-records.ts'
import { withClient } from '../support/database.ts'
import { createSearchWorkspace, type SearchWorkspace } from '../support/search-workspace.ts'
import { startDataService } from '../support/service.ts'

const service = await startDataService()
afterAll(() => service.stop())

const rooms = Array.from({ length: 60 }, (_, index) => ({
  id: `r${String(index).padStart(2, '0')}`,
  name: `Room ${index}`,
  fte: index % 20,
  floor: ['north', 'south', 'west'][index % 3],
  at: `2026-01-${String((index % 28) + 1).padStart(2, '0')}T09:00:00Z`,
}))

/** Returns the keys of all pages, and the `meta` of each. */
async function readPages({ search }: SearchWorkspace, body: Record<string, unknown>) {
  const [keys, metas]: [string[], Record<string, unknown>[]] = [[], []]
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await search({ ...body, ...(cursor && { cursor }) })
    keys.push(...page.data.map(({ key }: { key: string }) => key))
    metas.push(page.meta)
    cursor = page.pagination.next_cursor
  }
  return { keys, metas }
}

describe('a search without a query', () => {
  it('lists the newest records of all sources first, each on exactly one page, with a total', async () => {
    const workspace = createSearchWorkspace(service)
    const first = await workspace.createSource(rooms.slice(0, 20))
    const second = await workspace.createSource(rooms.slice(20, 40))
    await workspace.upload(first, rooms.slice(40))
    const { keys, metas } = await readPages(workspace, { filters: {}, limit: 7 })
    expect(keys.map((key) => Math.trunc(Number(key.slice(1)) / 20))).toEqual(
      [2, 1, 0].flatMap((n) => Array(20).fill(n)),
    )
    expect(new Set(keys).size).toBe(60)
    expect(metas.map(({ total }) => total)).toEqual(Array(9).fill(60))
    const some = await readPages(workspace, { filters: { floor: 'north' }, data_source_ids: [second], limit: 5 })
    expect(some.keys.toSorted()).toEqual(['r21', 'r24', 'r27', 'r30', 'r33', 'r36', 'r39'])
    expect(some.metas).toMatchObject([{ total: 7, mode_used: 'lexical', warnings: [] }, { total: 7 }])
  })

  it('reads on until a page is full, over several pages of positions', async () => {
    const workspace = createSearchWorkspace(service)
    const old = await workspace.createSource(rooms.slice(0, 3))
    for (const prefix of ['a', 'b'])
      await workspace.createSource(
        Array.from({ length: 600 }, (_, nth) => ({ id: `${prefix}${nth}`, floor: nth === 300 ? prefix : 'none' })),
      )
    const { keys, metas } = await readPages(workspace, { filters: { floor: { not: 'none' } }, limit: 4 })
    expect(keys.toSorted()).toEqual(['a300', 'b300', 'r00', 'r01', 'r02'])
    expect(metas).toMatchObject([{ total: 5 }, { total: 5 }])
    const page = await workspace.search({ filters: { fte: { exists: true } }, facets: ['floor'], limit: 1 })
    expect([page.data[0].data_source_id, page.meta.total]).toEqual([old, 3])
    expect(page.meta.facets.floor).toHaveLength(3)
  })

  it('lists records without any word', async () => {
    const { createSource, search } = createSearchWorkspace(service)
    await createSource([{ id: 1, amount: 2.5 }], { text_field: 'note' })
    const { data } = await search({ filters: { amount: { gt: 2 } }, include: ['data'] })
    expect(data).toMatchObject([{ key: '1', title: null, snippet: null, score: 0, data: { id: 1, amount: 2.5 } }])
  })

  it('orders records by a field in either direction, those without a value last', async () => {
    const workspace = createSearchWorkspace(service)
    await workspace.createSource([...rooms, { id: 'none' }, { id: 'null', fte: null }])
    const fteOf = (key: string) => rooms.find(({ id }) => id === key)?.fte
    for (const [sort, direction] of [
      ['fte', 1],
      ['-fte', -1],
    ] as const) {
      const { keys, metas } = await readPages(workspace, { filters: {}, sort, limit: 9 })
      expect(new Set(keys).size).toBe(62)
      expect(keys.slice(60).toSorted()).toEqual(['none', 'null'])
      const values = keys.slice(0, 60).map(fteOf)
      expect(values).toEqual(values.toSorted((a, b) => direction * (Number(a) - Number(b))))
      expect(metas).toEqual(Array(7).fill({ mode_used: 'lexical', warnings: [], total: 62 }))
    }
    const top = await workspace.search({ filters: { floor: 'west' }, sort: '-at', facets: ['floor'], limit: 1 })
    expect(top.data).toMatchObject([{ key: expect.stringMatching(/^r(26|55)$/) }])
    expect(top.meta).toMatchObject({ total: 20, facets: { floor: [{ value: 'west', count: 20 }] } })
  })

  it('orders numbers of CSV as numbers, text by its letters, and times across time zones', async () => {
    const workspace = createSearchWorkspace(service)
    await workspace.createSource([
      { id: 'a', n: '10', t: 'Beta', at: '2026-01-05T10:00:00+02:00', long: `${'x'.repeat(64)}b` },
      { id: 'b', n: '9', t: 'alpha', at: '2026-01-05T09:00:00Z', long: `${'x'.repeat(64)}a` },
      { id: 'c', n: '-1.5', t: 'Alpha', at: '2026-01-05T07:00:00Z', long: '\u{1F4A1}\u0001'.repeat(40) },
    ])
    const order = async (sort: string) => (await readPages(workspace, { filters: {}, sort, limit: 1 })).keys.join('')
    expect(await order('n')).toBe('cba')
    expect(await order('t')).toBe('cab')
    expect(await order('at')).toBe('cab')
    expect((await order('-long')).slice(0, 1)).toBe('c')
  })

  it('continues after a deleted record', async () => {
    const workspace = createSearchWorkspace(service)
    const source = await workspace.createSource(rooms.slice(0, 10))
    const first = await workspace.search({ filters: {}, limit: 4 })
    expect((await workspace.request('DELETE', `/v1/data/sources/${source}`)).status).toBe(200)
    await workspace.createSource(rooms.slice(10, 12))
    const next = await workspace.search({ filters: {}, limit: 4, cursor: first.pagination.next_cursor })
    expect(next).toMatchObject({ data: [], pagination: { has_more: false }, meta: { total: 2 } })
  })

  it('reads pages of several sources in index order, without sorting', async () => {
    const workspace = createSearchWorkspace(service)
    const sources = [await workspace.createSource(rooms), await workspace.createSource(rooms)]
    const plan: string[] = []
    await withClient(service.env.DATABASE_WORKER_URL, async (client) => {
      await client.query('SET enable_sort = off')
      const explain = async (text: string, values: readonly unknown[] = []) => {
        const { rows } = await client.query(`EXPLAIN ${text}`, [...values])
        plan.push(...rows.map((row) => row['QUERY PLAN']))
        return []
      }
      const after = { createdAt: new Date(), recordId: 'rec_z' }
      await listNewestRecords(explain, workspace.workspaceId, sources, { after, limit: 10 })
    })
    expect(plan.filter((line) => line.includes('Index Scan Backward using data_records_listed'))).toHaveLength(2)
    expect(plan.filter((line) => /-> +(Incremental )?Sort/.test(line))).toEqual([])
  })

  it('counts facets on every page', async () => {
    const workspace = createSearchWorkspace(service)
    await workspace.createSource(rooms)
    const { metas } = await readPages(workspace, { filters: { fte: { lt: 10 } }, facets: ['floor'], limit: 20 })
    const floor = [
      { value: 'north', count: 10 },
      { value: 'south', count: 10 },
      { value: 'west', count: 10 },
    ]
    expect(metas).toMatchObject([
      { total: 30, facets: { floor } },
      { total: 30, facets: { floor } },
    ])
  })

  it('rejects a cursor of another order, and of a search with a query', async () => {
    const { createSource, search, request } = createSearchWorkspace(service)
    await createSource(rooms)
    const cursorOf = async (body: object) => (await search({ limit: 1, ...body })).pagination.next_cursor
    const sorted = await cursorOf({ filters: {}, sort: 'fte' })
    const ranked = await cursorOf({ query: 'room ' })
    const newest = await cursorOf({ filters: {} })
    for (const body of [
      { filters: {}, cursor: sorted },
      { filters: {}, sort: '-fte', cursor: sorted },
      { filters: {}, sort: 'fte', cursor: newest },
      { filters: {}, cursor: ranked },
      { query: 'room ', cursor: newest },
      { filters: {}, cursor: Buffer.from('["",1e99,"rec_x"]').toString('base64url') },
    ]) {
      const response = await request('POST', '/v1/data/search', body)
      expect([response.status, response.body]).toMatchObject([
        400,
        { code: 'invalid_cursor', errors: [{ pointer: '/cursor' }] },
      ])
    }
  })

  it('requires filters, and rejects what needs a query', async () => {
    const { request } = createSearchWorkspace(service)
    for (const [body, pointer] of [
      [{}, '/query'],
      [{ filters: {}, mode: 'semantic' }, '/mode'],
      [{ filters: {}, min_score: 1 }, '/min_score'],
      [{ query: 'x', sort: 'fte' }, '/sort'],
      [{ query: 'x', q: 'x' }, '/q'],
    ] as const) {
      const response = await request('POST', '/v1/data/search', body)
      expect([response.status, response.body.errors]).toMatchObject([400, [{ pointer }]])
    }
  })
})

describe('a hit', () => {
  it('has the data of its record when requested, up to 8 MiB a page', async () => {
    const workspace = createSearchWorkspace(service)
    const padding = 'x'.repeat(240_000)
    for (let nth = 0; nth < 40; nth += 10)
      await workspace.createSource(
        Array.from({ length: 10 }, (_, index) => ({ id: `${nth + index}`, note: 'oak', padding })),
        { text_field: 'note' },
      )
    for (const body of [{ filters: {} }, { query: 'oak ' }]) {
      const { keys, metas } = await readPages(workspace, { ...body, include: ['data'], limit: 100 })
      expect([new Set(keys).size, keys.length, metas.length]).toEqual([40, 40, 2])
    }
    const { data } = await workspace.search({ query: 'oak ', limit: 1 })
    expect([data[0].key, 'data' in data[0]]).toEqual([expect.any(String), false])
    const read = await workspace.request('GET', '/v1/data/search?query=oak&include=data&limit=1')
    expect(read.body.data).toMatchObject([{ data: { note: 'oak' } }])
  })

  it('is found by GET with q or query, not with both', async () => {
    const { createSource, request } = createSearchWorkspace(service)
    await createSource(rooms.slice(0, 2))
    const statusOf = async (parameters: string) => {
      const { status, body } = await request('GET', `/v1/data/search?${parameters}`)
      return [status, body.data?.length ?? body.errors[0].pointer]
    }
    expect(await statusOf('q=room')).toEqual([200, 2])
    expect(await statusOf('query=room')).toEqual([200, 2])
    expect(await statusOf('q=room&query=room')).toEqual([400, '?q'])
    expect(await statusOf('limit=1')).toEqual([400, '?q'])
    const { status, body } = await request('POST', '/v1/data/search', { q: 'room' })
    expect([status, body.data.length]).toEqual([200, 2])
  })
})
