import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { JobFailure } from '@wp/jobs'
import { eventually } from '@wp/testkit'
import type { Page } from '../../src/providers/source-reader.ts'
import { queryAsWorker } from '../support/database.ts'
import { type CrawlService, createRows, startCrawlService, yieldPages } from '../support/scripted-crawls.ts'

let service: CrawlService
beforeAll(async () => {
  service = await startCrawlService()
})
afterAll(() => service.stop())

const counted = async (source: string) => Object.keys(await service.readRecords(source)).length
const eventsOf = (sync: string) =>
  queryAsWorker<{ kind: string; data: object }>(
    service.env,
    `SELECT kind, data FROM platform.outbox WHERE data->>'id' = $1`,
    [sync],
  )
const failing = (code: string, pages: readonly Page[] = []) =>
  async function* (): AsyncGenerator<Page, 'complete'> {
    yield* pages
    throw new JobFailure({ code, message: `It is ${code}`, retryable: code === 'transient' })
  }

/** A crawl that stops behind its first page until it is told to go on. */
function held(first: Page, then: readonly Page[] = []) {
  const [reached, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isClosed = false
  async function* script(): AsyncGenerator<Page, 'complete'> {
    try {
      yield first
      reached.resolve()
      await go.promise
      yield* then
      return 'complete'
    } finally {
      isClosed = true
    }
  }
  return { script, reached: reached.promise, go: go.resolve, isClosed: () => isClosed }
}

it.each(['config', 'auth', 'schema'])(
  'fails once for %s, says so with what was stored, and goes well again',
  async (code) => {
    const source = await service.createSource()
    service.scriptCrawls(failing(code, [{ rows: createRows(0, 3) }]))
    const sync = await service.sync(source)
    const counts = { seen: 3, created: 3, updated: 0, deleted: 0, failed: 0 }
    expect(sync).toMatchObject({
      status: 'failed',
      counts,
      error: { code, message: `It is ${code}`, retryable: false },
    })
    expect(await eventsOf(sync.id)).toEqual([
      {
        kind: 'DATA_SYNC_FAILED',
        data: {
          id: sync.id,
          status: 'failed',
          data_source_id: source,
          counts,
          error: { code, message: `It is ${code}` },
        },
      },
    ])
    expect(await service.source(source)).toMatchObject({ status: 'error', last_error: { code }, record_count: 3 })
    service.scriptCrawls(yieldPages([{ rows: createRows(0, 4) }]))
    await service.sync(source)
    expect(await service.source(source)).toMatchObject({ status: 'active', last_error: null, record_count: 4 })
  },
)

it('tries again what may pass, goes on where it was, and fails when it does not pass', async () => {
  const source = await service.createSource()
  const before = service.crawls.length
  service.scriptCrawls(
    failing('transient', [{ rows: createRows(0, 2), cursor: '2' }]),
    failing('transient', [{ rows: createRows(2, 4), cursor: '4' }]),
    yieldPages([{ rows: createRows(4, 6), cursor: '6' }]),
  )
  expect(await service.sync(source)).toMatchObject({ status: 'finished', counts: { seen: 6, created: 6 } })
  expect(service.crawls.slice(before).map(({ cursor }) => cursor)).toEqual([undefined, '2', '4'])
  service.scriptCrawls(failing('transient'))
  const sync = await service.sync(source)
  expect(sync).toMatchObject({ status: 'failed', error: { code: 'transient', retryable: true } })
  expect(await eventsOf(sync.id)).toHaveLength(1)
  expect(service.crawls).toHaveLength(before + 6)
})

it('stops when it is cancelled, and stores nothing after that', async () => {
  const source = await service.createSource()
  const crawl = held({ rows: createRows(0, 5), cursor: '5' }, [{ rows: createRows(5, 3000) }])
  service.scriptCrawls(crawl.script)
  const sync = await service.startSync(source)
  await crawl.reached
  await eventually(async () => (await counted(source)) === 5)
  const answer = await service.request('POST', `/v1/data/syncs/${sync}/cancel`)
  expect([answer.status, answer.body.data]).toMatchObject([200, { status: 'cancelled', counts: { seen: 5 } }])
  crawl.go()
  await eventually(() => crawl.isClosed())
  // What another sync counts is its own.
  service.scriptCrawls(yieldPages([{ rows: createRows(4, 6), cursor: '6' }]))
  expect(await service.sync(source)).toMatchObject({ cursor_before: '5', counts: { seen: 2, created: 1 } })
  expect(await counted(source)).toBe(6)
})

it('is not begun, and does not go on, while its source is paused', async () => {
  const source = await service.createSource()
  const crawl = held({ rows: createRows(0, 5) }, [{ rows: createRows(5, 10) }])
  service.scriptCrawls(crawl.script)
  const sync = await service.startSync(source)
  await crawl.reached
  await eventually(async () => (await counted(source)) === 5)
  await service.request('PATCH', `/v1/data/sources/${source}`, { status: 'paused' })
  crawl.go()
  const error = { code: 'config', message: 'The data source is paused', retryable: false }
  expect(await service.waitForSync(sync)).toMatchObject({ status: 'failed', error })
  expect(await service.sync(source)).toMatchObject({ status: 'failed', error, counts: { seen: 0 } })
  expect((await service.request('POST', `/v1/data/sources/${source}/sync/start`)).status).toBe(409)
  expect([await counted(source), (await service.source(source)).status]).toEqual([5, 'paused'])
})

it('changes nothing any more in a worker whose lease another has taken over', async () => {
  const source = await service.createSource()
  service.scriptCrawls(yieldPages([{ rows: createRows(0, 20) }]))
  await service.sync(source, 'full')
  const late = held({ rows: createRows(0, 3, { by: 'late' }) }, [
    { rows: createRows(3, 5000, { by: 'late' }), cursor: 'late' },
  ])
  service.scriptCrawls(late.script, yieldPages([{ rows: createRows(0, 10, { by: 'heir' }), cursor: 'heir' }]))
  const other = await service.startReplica()
  try {
    const sync = await service.startSync(source, 'full')
    await late.reached
    await eventually(async () => (await service.request('GET', `/v1/data/syncs/${sync}`)).body.data.counts.seen === 3)
    await queryAsWorker(service.env, `UPDATE platform.jobs SET lease_until = now() - interval '1 s' WHERE id = $1`, [
      sync,
    ])
    const ended = await service.waitForSync(sync)
    late.go()
    await eventually(() => late.isClosed())
    expect(ended).toMatchObject({
      ...{ status: 'finished', cursor_after: 'heir' },
      counts: { seen: 10, created: 0, updated: 13, deleted: 10, failed: 0 },
    })
    expect(await service.waitForSync(sync)).toEqual(ended)
    const records = Object.values(await service.readRecords(source))
    expect(records.map(({ by }) => by)).toEqual(Array(10).fill('heir'))
    expect(await eventsOf(sync)).toHaveLength(1)
  } finally {
    await other.stop()
  }
})

it('has no record of a source that was deleted under it', async () => {
  const source = await service.createSource()
  const crawl = held({ rows: createRows(0, 5) }, [{ rows: createRows(5, 3000) }])
  service.scriptCrawls(crawl.script)
  await service.startSync(source)
  await crawl.reached
  expect((await service.request('DELETE', `/v1/data/sources/${source}`)).status).toBe(200)
  crawl.go()
  await eventually(async () => crawl.isClosed() && (await counted(source)) === 0)
})

it('takes no upload into a source that is read', async () => {
  const source = await service.createSource()
  const answer = await service.request('POST', `/v1/data/sources/${source}/records`, [{ id: '1' }])
  expect([answer.status, answer.body.code]).toEqual([409, 'conflict'])
})
