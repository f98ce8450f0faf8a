import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually, startTestFleet, type TestFleet } from '@wp/testkit'
import {
  type Fault,
  type FeedResponse,
  type FeedRow,
  type FeedServer,
  faults,
  respondJson,
  rowsOf,
  startFeedServer,
  toCsv,
} from '../support/sources/faulty-feed.ts'
import { type ObjectStore, startObjectStore } from '../support/sources/object-store.ts'
import { createTables, type PostgresTables } from '../support/sources/postgres-tables.ts'

const pageCount = 3
const allRows = [1, 2, 3].flatMap(rowsOf)
const timeoutMs = 180_000

let fleet: TestFleet
let server: FeedServer
let store: ObjectStore
let tables: PostgresTables
let apiKeys: string[]
let requests = 0

beforeAll(async () => {
  server = await startFeedServer()
  store = await startObjectStore()
  tables = await createTables()
  fleet = await startTestFleet({
    services: ['auth', 'data', 'integrations'],
    env: { data: { ENVIRONMENT: 'development' } },
  })
  const as = await fleet.token(fleet.owner)
  const createKey = async () => (await fleet.request('POST', '/v1/auth/api-key', { as, body: {} })).body.data.api_key
  apiKeys = await Promise.all(Array.from({ length: 4 }, createKey))
}, timeoutMs)
afterAll(async () => {
  server.close()
  await fleet.stop()
  await store.close()
  await tables.drop()
})

/** Requests alternate between keys, because each of them has a rate limit. */
async function request(method: string, path: string, body?: unknown) {
  requests += 1
  const response = await fleet.request(method, path, { as: apiKeys[requests % apiKeys.length] ?? '', body })
  if (response.status > 299) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`)
  return response.body.data
}

const createSource = async (source: FeedRow): Promise<string> =>
  (await request('POST', '/v1/data/sources', { name: 'Rooms', ...source })).data_source_id
const createIntegration = async (integration: FeedRow): Promise<string> =>
  (await request('POST', '/v1/integrations/integrations', { name: 'Rooms', ...integration })).integration_id

async function runSync(source: string, body: FeedRow) {
  const { id } = await request('POST', `/v1/data/sources/${source}/sync/start`, body)
  return eventually(
    async () => {
      const sync = await request('GET', `/v1/data/syncs/${id}`)
      return sync.finished_at !== null && sync
    },
    { intervalMs: 50 },
  )
}

const countRecords = async (source: string) => (await request('GET', `/v1/data/sources/${source}`)).record_count

const bothModes = ['full', 'incremental']

/** Runs syncs in these modes. Returns those that lost or added a record, and full ones that did not fail. */
async function syncModes(source: string, name: string, modes = bothModes): Promise<string[]> {
  const passed: string[] = []
  for (const mode of modes) {
    const { status, error } = await runSync(source, { mode })
    const left = await countRecords(source)
    if (left !== allRows.length || (mode === 'full' && status !== 'failed'))
      passed.push(`${name}, ${mode}: ${status} ${error?.message}, ${left} records`)
  }
  return passed
}

type Respond = (page: number, fault: Fault | undefined) => FeedResponse

interface Feed {
  respond: Respond
  /** Default: that of a paged feed. */
  pages?: number
  /** Name of a fault that is none for this feed. */
  skipped?: string | undefined
  /** The page with the first fault; the next fault is on the next page. Default 1. */
  firstPage?: number
  /** Default: a full sync and an incremental one. */
  modes?: string[]
}

/** Syncs a feed with each fault on one of its pages. Returns the syncs that `syncModes` does. */
async function syncWithFaults(
  source: string,
  { respond, pages = pageCount, skipped, firstPage = 1, modes = bothModes }: Feed,
): Promise<string[]> {
  server.serve((page) => respond(page, undefined))
  expect(await runSync(source, { mode: 'full' })).toMatchObject({ status: 'finished', counts: { created: 30 } })
  const passed: string[] = []
  for (const [index, [name, fault]] of Object.entries(faults).entries()) {
    const badPage = 1 + ((index + firstPage - 1) % pages)
    // Half of the last of several pages is no fault that can be told from deleted rows.
    if (name === skipped || (name === 'half of the rows' && badPage === pages && pages > 1)) continue
    server.serve((page) => respond(page, page === badPage ? fault : undefined))
    passed.push(...(await syncModes(source, `${name} on page ${badPage}`, modes)))
  }
  server.serve((page) => respond(page, undefined))
  expect(await runSync(source, { mode: 'full' })).toMatchObject({ status: 'finished', counts: { deleted: 0 } })
  return passed
}

const respondWith = (rows: readonly FeedRow[], fault: Fault | undefined) => fault?.(rows) ?? respondJson(rows)
const isRows = ({ body }: FeedResponse) => body.startsWith('[{')

describe('an http source', () => {
  const pagings: [string, FeedRow, Respond][] = [
    [
      'numbered',
      { paging: { type: 'page' } },
      (page, fault) => respondWith(page > pageCount ? [] : rowsOf(page), fault),
    ],
    [
      'linked',
      { paging: { type: 'link' } },
      (page, fault) => {
        const served = respondWith(rowsOf(page), fault)
        const hasNext = isRows(served) && page < pageCount
        return { ...served, ...(hasNext ? { headers: { link: `<?page=${page + 1}>; rel="next"` } } : {}) }
      },
    ],
    [
      'cursor',
      { rows_path: '/data', paging: { type: 'cursor', path: '/next', parameter: 'page' } },
      (page, fault) => {
        const served = respondWith(rowsOf(page), fault)
        const next = isRows(served) && page < pageCount ? `"${page + 1}"` : 'null'
        return /^(?:\[|null)/.test(served.body) ? { ...served, body: `{"next":${next},"data":${served.body}}` } : served
      },
    ],
  ]
  it.each(pagings)(
    'keeps every record when any of its %s pages is bad',
    async (name, config, respond) => {
      const source = await createSource({ provider: 'http', config: { url: server.url, key: 'id', ...config } })
      // Pages are read the same way however they are found, so that each paging has another third of the cases.
      const firstPage = 1 + pagings.findIndex(([own]) => own === name)
      const modes = name === 'linked' ? bothModes : ['full']
      expect(await syncWithFaults(source, { respond, firstPage, modes })).toEqual([])
    },
    timeoutMs,
  )

  it.each([
    ['with a key', { key: 'id' }, undefined],
    ['without a key', {}, 'rows without the key'],
  ])(
    'keeps every record when its only document is bad, %s',
    async (_, config, skipped) => {
      const source = await createSource({ provider: 'http', config: { url: `${server.url}/one`, ...config } })
      const respond: Respond = (_page, fault) => respondWith(allRows, fault)
      expect(await syncWithFaults(source, { respond, pages: 1, skipped })).toEqual([])
    },
    timeoutMs,
  )

  it(
    'keeps every record when its CSV is bad',
    async () => {
      const source = await createSource({ provider: 'http', config: { url: `${server.url}/csv`, key: 'id' } })
      const respond: Respond = (_, fault) => {
        const served = respondWith(allRows, fault)
        if (fault === faults['rows without the key'])
          return { ...served, type: 'text/csv', body: toCsv(allRows, ['room']) }
        if (fault === faults['a truncated body'])
          return { ...served, body: `${toCsv(rowsOf(1))}2-0,"Room`, type: 'text/csv' }
        return /^\[/.test(served.body) ? { ...served, type: 'text/csv', body: toCsv(JSON.parse(served.body)) } : served
      }
      expect(await syncWithFaults(source, { respond, pages: 1, modes: ['full'] })).toEqual([])
    },
    timeoutMs,
  )

  it('keeps every record and stores no other when its last row is cut or a message has one of its fields', async () => {
    const keyless = await createSource({ provider: 'http', config: { url: `${server.url}/keyless` } })
    const keyed = await createSource({ provider: 'http', config: { url: `${server.url}/cut`, key: 'id' } })
    const type = 'text/csv'
    server.serve(() => ({ status: 200, type, body: toCsv(allRows) }))
    await runSync(keyed, { mode: 'full' })
    server.serve(() => respondJson(allRows))
    await runSync(keyless, { mode: 'full' })
    server.serve(() => respondJson([{ room: 'quota exceeded' }]))
    const passed = await syncModes(keyless, 'a message', ['full'])
    const body = toCsv(allRows.slice(0, 28)).trimEnd()
    server.serve(() => ({ status: 200, type, body, isUnbounded: true }))
    passed.push(...(await syncModes(keyed, 'a cut row', ['full'])))
    expect(passed).toEqual([])
    // Chunks, of which the last is marked, or a length.
    server.serve(() => ({ status: 200, type, body }))
    expect(await runSync(keyed, { mode: 'full' })).toMatchObject({ error: null, counts: { deleted: 2 } })
  })

  it('keeps every record when rows lack fields or pages repeat, or errors are beside the rows', async () => {
    const config = { url: `${server.url}/four`, key: 'id', rows_path: '/data' }
    const source = await createSource({ provider: 'http', config })
    const paged = await createSource({
      provider: 'http',
      config: { ...config, paging: { type: 'cursor', path: '/next', parameter: 'page' } },
    })
    const respond = (body: FeedRow) => ({ ...respondJson([]), body: JSON.stringify(body) })
    const few = allRows.slice(0, 20)
    server.serve(() => respond({ data: allRows, errors: [], error: null }))
    for (const id of [source, paged]) await runSync(id, { mode: 'full' })
    const passed: string[] = []
    for (const beside of [{ errors: [{ message: 'shard 3' }] }, { error: 'timeout' }]) {
      server.serve(() => respond({ data: few, ...beside }))
      passed.push(...(await syncModes(source, JSON.stringify(beside), ['full'])))
    }
    const columns = (value: number) => Object.fromEntries(Array.from({ length: 110 }, (_, at) => [`c${at}`, value]))
    const doubtful = few.map((row, at) => ({ ...row, ...columns(at < 4 ? -999 : 1) }))
    server.serve(() => respond({ data: doubtful, errors: ['shard 3'] }))
    passed.push(...(await syncModes(source, 'errors after 110 warnings', ['full'])))
    server.serve(() => respond({ data: [{ id: allRows[0]?.id, message: 'maintenance' }] }))
    passed.push(...(await syncModes(source, 'only a key', ['full'])))
    const renamed = allRows.map(({ id }) => ({ id, title: 'Room' }))
    server.serve(() => respond({ data: renamed }))
    expect(await runSync(source, { mode: 'full' })).toMatchObject({ status: 'finished', counts: { updated: 30 } })
    server.serve((page) => respond({ data: few, next: page === 1 ? '2' : null }))
    passed.push(...(await syncModes(paged, 'a repeated page', ['full'])))
    expect(passed).toEqual([])
  })

  it('deletes what a bad feed lacks when the deletions are allowed once', async () => {
    const source = await createSource({ provider: 'http', config: { url: `${server.url}/two`, key: 'id' } })
    server.serve(() => respondJson(allRows))
    await runSync(source, {})
    server.serve(() => respondJson(rowsOf(1)))
    expect(await runSync(source, { mode: 'full' })).toMatchObject({
      status: 'failed',
      error: { code: 'too_many_deletions', message: expect.stringContaining('20 of 30 records'), retryable: false },
      counts: { deleted: 0 },
    })
    const allowed = await runSync(source, { mode: 'full', allow_deletions: true })
    expect([allowed.status, allowed.counts.deleted, await countRecords(source)]).toEqual(['finished', 20, 10])
    server.serve(() => respondJson([]))
    expect(await runSync(source, { mode: 'full' })).toMatchObject({ error: { code: 'too_many_deletions' } })
    await runSync(source, { mode: 'full', allow_deletions: true })
    expect(await countRecords(source)).toBe(0)
  })
})

it(
  'an s3 source keeps every record when any of its objects is bad',
  async () => {
    const { region, bucket, accessKeyId, secretAccessKey } = store
    const integrationId = await createIntegration({
      provider: 's3',
      config: { endpoint: store.url, region, bucket, access_key_id: accessKeyId },
      secrets: { secret_access_key: secretAccessKey },
    })
    const source = await createSource({ provider: 's3', integration_id: integrationId, config: { key: 'id' } })
    const put = (page: number, body: string) => store.put(`${page}.json`, body)
    for (const page of [1, 2, 3]) put(page, JSON.stringify(rowsOf(page)))
    expect((await runSync(source, { mode: 'full' })).counts).toMatchObject({ created: 30 })
    const lost: string[] = []
    for (const [name, fault] of Object.entries(faults))
      for (const mode of name === 'half of the rows' ? [] : ['full', 'incremental']) {
        put(2, fault(rowsOf(2)).body)
        const { status, counts } = await runSync(source, { mode })
        const left = await countRecords(source)
        // An object that cannot be read does not affect the others.
        if (left !== 30 || (mode === 'full' && status !== 'failed' && counts.failed === 0))
          lost.push(`${name}, ${mode}: ${status}, ${left} records`)
      }
    for (const page of [1, 2, 3]) store.remove(`${page}.json`)
    lost.push(...(await syncModes(source, 'an empty bucket')).filter((sync) => !sync.includes('30 records')))
    expect(lost).toEqual([])
  },
  timeoutMs,
)

it(
  'a postgres source keeps every record when its result is bad',
  async () => {
    const { hostname, port, username, password, pathname } = new URL(tables.url)
    const integrationId = await createIntegration({
      provider: 'postgres',
      config: { host: hostname, port: Number(port), database: pathname.slice(1), user: username, ssl: 'disable' },
      secrets: { password: decodeURIComponent(password) },
    })
    await tables.run('CREATE TABLE rooms (id text, room text, people integer)')
    await tables.run('INSERT INTO rooms SELECT * FROM json_populate_recordset(NULL::rooms, $1)', [
      JSON.stringify(allRows),
    ])
    await tables.run('CREATE VIEW feed AS SELECT * FROM rooms')
    const config = { query: 'SELECT * FROM feed', key: 'id' }
    const source = await createSource({ provider: 'postgres', integration_id: integrationId, config })
    expect((await runSync(source, { mode: 'full' })).counts).toMatchObject({ created: 30 })
    const passed: string[] = []
    for (const [name, view] of [
      ['no row', 'SELECT * FROM rooms WHERE false'],
      ['half of the rows', 'SELECT * FROM rooms WHERE people < 5'],
      ['rows with an empty key', 'SELECT NULL::text AS id, room, people FROM rooms'],
    ] as const) {
      await tables.run(`CREATE OR REPLACE VIEW feed AS ${view}`)
      passed.push(...(await syncModes(source, name)))
    }
    await tables.run('DROP VIEW feed')
    passed.push(...(await syncModes(source, 'no view')))
    await tables.run('CREATE VIEW feed AS SELECT room, people FROM rooms')
    passed.push(...(await syncModes(source, 'rows without the key')))
    expect(passed).toEqual([])
  },
  timeoutMs,
)
