import { afterAll, describe, expect, it } from '@jest/globals'
import { deleteExpired } from '@wp/jobs/background'
import { eventually, openWorkerPool } from '@wp/testkit'
import { feedRetention } from '../../src/store/feeds/row-feeds.ts'
import { queryAsWorker } from '../support/database.ts'
import { countChanges, createSubscriber, type FeedSubscriber, readStoredRows } from '../support/feed-subscriber.ts'
import { startDataService } from '../support/service.ts'

const service = await startDataService()
afterAll(() => service.stop())

const fields = ['n', 'v']
const csv = (...rows: string[]) => `n,v,other\n${rows.map((row) => `${row}\n`).join('')}`
const upload = (source: string, ...rows: string[]) => service.upload(source, 'text/csv', csv(...rows))
const subscribe = (source: string) => createSubscriber(service.request, source, fields)
const removeKeys = (source: string, ...keys: string[]) =>
  service.request('POST', `/v1/data/sources/${source}/records/delete`, { body: { keys } })

async function openSource(...rows: string[]): Promise<{ source: string; subscriber: FeedSubscriber }> {
  const source = await service.createSource({ config: { key: 'n' } })
  if (rows.length > 0) await upload(source, ...rows)
  const subscriber = subscribe(source)
  await subscriber.open()
  return { source, subscriber }
}

const change = (previous: unknown[] | null, current: unknown[] | null) => ({ previous, current })

describe('a row feed', () => {
  it('sends the records, and then what changes: values as they are stored', async () => {
    const { source, subscriber } = await openSource('1,a,x', '2,,x', '3,5.50,x')
    expect((await subscriber.pull({ limit: 2 })).body).toMatchObject({
      page_id: 1,
      has_more: true,
      total_records: 3,
      refused_rows: 0,
      rows: [change(null, [1, 'a']), change(null, [2, ''])],
    })
    await upload(source, '1,b,x', '3,c,x', '4,d,x')
    await removeKeys(source, '2')
    expect((await subscriber.pull()).body).toMatchObject({
      page_id: 2,
      has_more: false,
      total_records: 3,
      rows: expect.arrayContaining([
        change([1, 'a'], [1, 'b']),
        change([2, ''], null),
        change(null, [3, 'c']),
        change(null, [4, 'd']),
      ]),
    })
    expect((await subscriber.pull()).body).toMatchObject({ page_id: 2, rows: [], has_more: false })
    expect(subscriber.rows()).toEqual(await readStoredRows(service.env, source, fields))
  })

  it('sends nothing for a change of other fields, one that is undone, or a record that came and went', async () => {
    const { source, subscriber } = await openSource('1,a,x', '2,b,x')
    await subscriber.pullAll()
    await upload(source, '1,a,changed', '2,c,x', '3,d,x')
    await upload(source, '2,b,x')
    await removeKeys(source, '3')
    expect((await subscriber.pull()).body).toMatchObject({ rows: [], page_id: 1, has_more: false })
    expect(await countChanges(service.env)).toBe(0)
  })

  it('sends a page again, unchanged, until it is acknowledged', async () => {
    const { source, subscriber } = await openSource('1,a,x', '2,b,x')
    const first = await subscriber.pull({ isLost: true })
    await upload(source, '1,changed,x')
    await removeKeys(source, '2')
    expect((await subscriber.pull({ limit: 1 })).body.rows).toEqual(first.body.rows)
    await subscriber.pullAll()
    expect(subscriber.rows()).toEqual([JSON.stringify([1, 'changed'])])
  })

  it('continues when it is opened again, and starts from the beginning with other fields', async () => {
    const { source, subscriber } = await openSource('1,a,x')
    await subscriber.pullAll()
    const { generation } = (await subscriber.open()).body.data
    expect((await subscriber.pull()).body).toMatchObject({ generation, rows: [] })
    const reopened = (await subscriber.open(['other'])).body.data
    expect(reopened).toEqual({ feed_id: 'ds_1', generation: expect.any(Number), fields: ['other'] })
    expect(reopened.generation).not.toBe(generation)
    await subscriber.pullAll()
    expect(subscriber.rows()).toEqual([JSON.stringify(['x'])])
    const old = { generation, acknowledged_page: 1 }
    const response = await service.request('POST', `/internal/data/sources/${source}/feeds/ds_1/pages`, {
      signer: 'solutions',
      body: old,
    })
    expect([response.status, response.body.code]).toEqual([409, 'conflict'])
  })

  it('rejects the acknowledgement of a page that is neither the last one nor the one before it', async () => {
    const { source, subscriber } = await openSource('1,a,x', '2,b,x', '3,c,x')
    const { generation } = (await subscriber.pull({ limit: 1 })).body
    const acknowledge = (page: number) =>
      service.request('POST', `/internal/data/sources/${source}/feeds/ds_1/pages`, {
        signer: 'solutions',
        body: { generation, acknowledged_page: page, limit: 1 },
      })
    expect((await acknowledge(2)).status).toBe(409)
    await subscriber.pull({ limit: 1 })
    expect((await acknowledge(0)).status).toBe(409)
    await subscriber.pullAll()
    await subscriber.pull()
    expect((await acknowledge(1)).status).toBe(409)
    expect((await subscriber.pull()).status).toBe(200)
  })

  it('limits the size of a page', async () => {
    const { source, subscriber } = await openSource()
    const wide = (v: string) => Array.from({ length: 45 }, (_, n) => JSON.stringify({ n, v: v.repeat(200_000) }))
    await service.upload(source, 'application/x-ndjson', wide('a').join('\n'))
    const added = await subscriber.pull()
    expect([added.body.rows.length < 45, added.body.has_more]).toEqual([true, true])
    await subscriber.pullAll()
    await service.upload(source, 'application/x-ndjson', wide('b').join('\n'))
    const changed = await subscriber.pull()
    expect([changed.body.rows.length < 30, changed.body.has_more]).toEqual([true, true])
    await subscriber.pullAll()
    expect(subscriber.rows()).toEqual(await readStoredRows(service.env, source, fields))
  })
})

describe('the end of a row feed', () => {
  it('comes with its closing, which is idempotent', async () => {
    const { source, subscriber } = await openSource('1,a,x')
    await subscriber.pullAll()
    await upload(source, '1,b,x')
    const close = () =>
      service.request('DELETE', `/internal/data/sources/${source}/feeds/ds_1`, { signer: 'solutions' })
    expect([(await close()).status, (await close()).status]).toEqual([200, 200])
    expect((await subscriber.pull()).status).toBe(404)
    expect(await countChanges(service.env)).toBe(0)
  })

  it('comes with the deletion of its source', async () => {
    const { source, subscriber } = await openSource('1,a,x', '2,b,x')
    await subscriber.pullAll()
    await upload(source, '1,b,x')
    await service.request('DELETE', `/v1/data/sources/${source}`)
    expect((await subscriber.pull()).status).toBe(404)
    expect((await subscriber.open()).status).toBe(404)
    const count = (table: string) =>
      queryAsWorker(service.env, `SELECT FROM ${table} WHERE data_source_id = $1`, [source])
    await eventually(async () => (await count('data_records')).length === 0, { description: 'the purge' })
    expect(await count('row_feeds')).toEqual([])
    expect(await countChanges(service.env)).toBe(0)
  })

  it('comes after 30 days without a reader', async () => {
    const { source, subscriber } = await openSource('1,a,x')
    await subscriber.pullAll()
    await upload(source, '1,b,x')
    const age = (days: number) =>
      queryAsWorker(
        service.env,
        `UPDATE row_feeds SET last_read_at = now() - make_interval(days => $2) WHERE data_source_id = $1`,
        [source, days],
      )
    const pool = openWorkerPool(service.env.DATABASE_WORKER_URL ?? '', 1)
    try {
      await age(29)
      expect(await deleteExpired(pool, feedRetention)).toBe(0)
      await age(31)
      expect(await deleteExpired(pool, feedRetention)).toBe(1)
    } finally {
      await pool.end()
    }
    expect((await subscriber.pull()).status).toBe(404)
    expect(await countChanges(service.env)).toBe(0)
    await subscriber.open()
    await subscriber.pullAll()
    expect(subscriber.rows()).toEqual([JSON.stringify([1, 'b'])])
  })
})

describe('the endpoints of row feeds', () => {
  const open = (source: string, body: unknown, options = {}) =>
    service.request('POST', `/internal/data/sources/${source}/feeds`, { signer: 'solutions', body, ...options })

  it('limit the feeds of a source to ten', async () => {
    const { source } = await openSource()
    for (let nth = 2; nth <= 10; nth++) expect((await open(source, { feed_id: `ds_${nth}`, fields })).status).toBe(200)
    expect((await open(source, { feed_id: 'ds_11', fields })).body).toMatchObject({ status: 409, code: 'conflict' })
    expect((await open(source, { feed_id: 'ds_10', fields: ['n'] })).status).toBe(200)
  })

  it('are for the solutions service, the scope data:read and the workspace of the source', async () => {
    const { source } = await openSource()
    const body = { feed_id: 'ds_1', fields }
    expect((await open(source, body, { signer: 'ai' })).body).toMatchObject({ code: 'caller_not_allowed' })
    expect((await open(source, body, { signer: 'gateway' })).body).toMatchObject({ code: 'caller_not_allowed' })
    expect((await open(source, body, { caller: { scopes: [] } })).body).toMatchObject({ code: 'missing_scope' })
    const elsewhere = { caller: { workspaceId: 'ws_01h455vb4pex5vsknk084sn03q' } }
    expect((await open(source, body, elsewhere)).status).toBe(404)
    expect((await open(source, { feed_id: '1', fields: [] })).body.errors).toMatchObject([
      { pointer: '/feed_id' },
      { pointer: '/fields' },
    ])
  })
})
