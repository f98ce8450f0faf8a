import { afterAll, expect, it } from '@jest/globals'
import { JobFailure } from '@wp/jobs'
import { eventually } from '@wp/testkit'
import type { Page } from '../../src/providers/source-reader.ts'
import { queryAsWorker } from '../support/database.ts'
import { createRows, startCrawlService, yieldPages } from '../support/sources/scripted-crawls.ts'

const service = await startCrawlService()
afterAll(() => service.stop())

const countRecords = async (source: string) => Object.keys(await service.readRecords(source)).length
const readEvents = (sync: string) =>
  queryAsWorker<{ kind: string; data: object }>(
    service.env,
    `SELECT kind, data FROM platform.outbox WHERE data->>'id' = $1`,
    [sync],
  )
const createFailingCrawl = (code: string, pages: readonly Page[] = []) =>
  async function* (): AsyncGenerator<Page, 'complete'> {
    yield* pages
    throw new JobFailure({ code, message: `It is ${code}`, retryable: code === 'transient' })
  }

/** Creates a crawl that pauses after its first page until `go` is called. */
function createPausedCrawl(first: Page, then: readonly Page[] = []) {
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
  'fails without a retry for an error of code %s, keeps stored rows, and succeeds next time',
  async (code) => {
    const source = await service.createSource()
    service.scriptCrawls(createFailingCrawl(code, [{ rows: createRows(0, 3) }]))
    const sync = await service.runSync(source)
    const counts = { seen: 3, created: 3, updated: 0, deleted: 0, failed: 0 }
    expect(sync).toMatchObject({
      status: 'failed',
      counts,
      error: { code, message: `It is ${code}`, retryable: false },
    })
    expect(await readEvents(sync.id)).toEqual([
      {
        kind: 'DATA_SYNC_FAILED',
        data: {
          id: sync.id,
          status: 'failed',
          data_source_id: source,
          data_source_name: expect.any(String),
          counts,
          error: { code, message: `It is ${code}` },
        },
      },
    ])
    expect(await service.getSource(source)).toMatchObject({ status: 'error', last_error: { code }, record_count: 3 })
    service.scriptCrawls(yieldPages([{ rows: createRows(0, 4) }]))
    await service.runSync(source)
    expect(await service.getSource(source)).toMatchObject({ status: 'active', last_error: null, record_count: 4 })
  },
)

it('retries a transient failure from its cursor, and fails when all attempts fail', async () => {
  const source = await service.createSource()
  const before = service.crawls.length
  service.scriptCrawls(
    createFailingCrawl('transient', [{ rows: createRows(0, 2), cursor: '2' }]),
    createFailingCrawl('transient', [{ rows: createRows(2, 4), cursor: '4' }]),
    yieldPages([{ rows: createRows(4, 6), cursor: '6' }]),
  )
  expect(await service.runSync(source)).toMatchObject({ status: 'finished', counts: { seen: 6, created: 6 } })
  expect(service.crawls.slice(before).map(({ cursor }) => cursor)).toEqual([undefined, '2', '4'])
  service.scriptCrawls(createFailingCrawl('transient'))
  const sync = await service.runSync(source)
  expect(sync).toMatchObject({ status: 'failed', error: { code: 'transient', retryable: true } })
  expect(await readEvents(sync.id)).toHaveLength(1)
  expect(service.crawls).toHaveLength(before + 6)
})

it('stops and stores nothing more when it is cancelled', async () => {
  const source = await service.createSource()
  const crawl = createPausedCrawl({ rows: createRows(0, 5), cursor: '5' }, [{ rows: createRows(5, 3000) }])
  service.scriptCrawls(crawl.script)
  const sync = await service.startSync(source)
  await crawl.reached
  await eventually(async () => (await countRecords(source)) === 5)
  const response = await service.request('POST', `/v1/data/syncs/${sync}/cancel`)
  expect([response.status, response.body.data]).toMatchObject([200, { status: 'cancelled', counts: { seen: 5 } }])
  crawl.go()
  await eventually(() => crawl.isClosed())
  // Another sync counts only its own rows.
  service.scriptCrawls(yieldPages([{ rows: createRows(4, 6), cursor: '6' }]))
  expect(await service.runSync(source)).toMatchObject({ cursor_before: '5', counts: { seen: 2, created: 1 } })
  expect(await countRecords(source)).toBe(6)
})

it('fails before its start or at its next step when its source is paused', async () => {
  const source = await service.createSource()
  const crawl = createPausedCrawl({ rows: createRows(0, 5) }, [{ rows: createRows(5, 10) }])
  service.scriptCrawls(crawl.script)
  const sync = await service.startSync(source)
  await crawl.reached
  await eventually(async () => (await countRecords(source)) === 5)
  await service.request('PATCH', `/v1/data/sources/${source}`, { status: 'paused' })
  crawl.go()
  const error = { code: 'config', message: 'The data source is paused', retryable: false }
  expect(await service.waitForSync(sync)).toMatchObject({ status: 'failed', error })
  expect(await service.runSync(source)).toMatchObject({ status: 'failed', error, counts: { seen: 0 } })
  expect((await service.request('POST', `/v1/data/sources/${source}/sync/start`)).status).toBe(409)
  expect([await countRecords(source), (await service.getSource(source)).status]).toEqual([5, 'paused'])
})

it('writes nothing more in a worker whose lease another worker has taken over', async () => {
  const source = await service.createSource()
  service.scriptCrawls(yieldPages([{ rows: createRows(0, 20) }]))
  await service.runSync(source, 'full')
  const late = createPausedCrawl({ rows: createRows(0, 3, { by: 'late' }) }, [
    { rows: createRows(3, 5000, { by: 'late' }), cursor: 'late' },
  ])
  service.scriptCrawls(late.script, yieldPages([{ rows: createRows(0, 12, { by: 'heir' }), cursor: 'heir' }]))
  const replica = await service.startReplica()
  try {
    const sync = await service.startSync(source, 'full')
    await late.reached
    await eventually(async () => (await service.request('GET', `/v1/data/syncs/${sync}`)).body.data.counts.seen === 3)
    const [job] = await queryAsWorker<{ token: string }>(
      service.env,
      'SELECT lease_token AS token FROM platform.jobs WHERE id = $1',
      [sync],
    )
    // Again until the other worker has the lease, which the first one renews.
    await eventually(async () => {
      const expired = await queryAsWorker(
        service.env,
        `UPDATE platform.jobs SET lease_until = now() - interval '1 s' WHERE id = $1 AND lease_token = $2 RETURNING id`,
        [sync, job?.token],
      )
      return expired.length === 0
    })
    const ended = await service.waitForSync(sync)
    late.go()
    await eventually(() => late.isClosed())
    expect(ended).toMatchObject({
      status: 'finished',
      cursor_after: 'heir',
      counts: { seen: 12, created: 0, updated: 15, deleted: 8, failed: 0 },
    })
    expect(await service.waitForSync(sync)).toEqual(ended)
    const records = Object.values(await service.readRecords(source))
    expect(records.map(({ by }) => by)).toEqual(Array(12).fill('heir'))
    expect(await readEvents(sync)).toHaveLength(1)
  } finally {
    await replica.stop()
  }
})

it('leaves no records when its source is deleted while it runs', async () => {
  const source = await service.createSource()
  const crawl = createPausedCrawl({ rows: createRows(0, 5) }, [{ rows: createRows(5, 3000) }])
  service.scriptCrawls(crawl.script)
  await service.startSync(source)
  await crawl.reached
  expect((await service.request('DELETE', `/v1/data/sources/${source}`)).status).toBe(200)
  crawl.go()
  await eventually(async () => crawl.isClosed() && (await countRecords(source)) === 0)
})

it('is the only writer of its source: uploads are refused', async () => {
  const source = await service.createSource()
  const response = await service.request('POST', `/v1/data/sources/${source}/records`, [{ id: '1' }])
  expect([response.status, response.body.code]).toEqual([409, 'conflict'])
})

it.each([
  ['incremental', 'transient', true],
  ['full', 'config', false],
] as const)('ends a %s crawl that takes too long as %s', async (mode, code, retryable) => {
  const source = await service.createSource({
    config: { url: 'http://127.0.0.1:9009/slow.json?key=secret', key: 'id' },
  })
  // Reads until it is aborted, like a reader whose server drips.
  const attempt = (from: number) =>
    async function* ({ signal }: { signal: AbortSignal }): AsyncGenerator<Page, 'complete'> {
      yield { rows: createRows(from, from + 10), cursor: `${from + 10}` }
      yield { rows: createRows(from + 10, from + 15) }
      service.elapseCrawlTime()
      signal.throwIfAborted()
      return 'complete'
    }
  service.scriptCrawls(attempt(0), attempt(100), attempt(200))
  service.crawls.length = 0
  const { error } = await service.runSync(source, mode)
  expect(error).toMatchObject({
    code,
    retryable,
    message: expect.stringMatching(
      /^Reading http:\/\/127\.0\.0\.1:9009\/slow\.json took longer than 60 minutes; \d+ rows/,
    ),
  })
  expect(service.crawls.map(({ cursor }) => cursor)).toEqual(retryable ? [undefined, '10', '110'] : [undefined])
  expect(await countRecords(source)).toBeGreaterThanOrEqual(10)
})
