import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually, startTestFleet } from '@wp/testkit'
import { Client } from 'pg'
import { queryAsWorker } from '../support/database.ts'

const maxSyncResponseBytes = 20_000
const fleet = await startTestFleet({
  services: ['auth', 'data'],
  env: { data: { UPLOAD_ASYNC_BYTES: String(maxSyncResponseBytes), SYNC_CONCURRENCY: '1' } },
})
afterAll(() => fleet.stop())

// biome-ignore lint/suspicious/noExplicitAny: response bodies are not typed
type ApiResponse = { status: number; headers: Headers; body: any }
const request = (method: string, path: string, body?: unknown): Promise<ApiResponse> =>
  fleet.request(method, path, { as: fleet.owner.apiKey, body })

async function createSource(config = {}): Promise<string> {
  const response = await request('POST', '/v1/data/sources', { name: 'Rooms', provider: 'upload', config })
  if (response.status !== 201) throw new Error(`failed to create a source: ${JSON.stringify(response.body)}`)
  return response.body.data.data_source_id
}

const upload = (id: string, rawBody: string, headers: Record<string, string> = {}): Promise<ApiResponse> =>
  fleet.request('POST', `/v1/data/sources/${id}/records`, {
    as: fleet.owner.apiKey,
    rawBody,
    headers: { 'content-type': 'text/csv', ...headers },
  })

const startSync = (id: string) => request('POST', `/v1/data/sources/${id}/sync/start`)

const waitForEnd = (syncId: string) =>
  eventually(
    async () => {
      const { data } = (await request('GET', `/v1/data/syncs/${syncId}`)).body
      return data.finished_at !== null && data
    },
    { description: 'the end of the sync' },
  )

const readEvents = (syncId: string) =>
  queryAsWorker<{ kind: string; data: unknown }>(
    fleet.env('data'),
    `SELECT kind, data FROM platform.outbox WHERE data->>'id' = $1 ORDER BY position`,
    [syncId],
  )

const createCsv = (rows: number, head = 'id,label,people') =>
  `${head}\n${Array.from({ length: rows }, (_, index) => `${index},room ${index},${index % 7}\n`).join('')}`

describe('a manual sync of an upload source', () => {
  it('derives titles and the schema again, and emits an event', async () => {
    const id = await createSource({ key: 'id' })
    await upload(id, 'id,label,people\na,North,some\nb,South,2\n')
    await upload(id, 'id,label,people\na,North,1\n')
    const before = await request('GET', `/v1/data/sources/${id}`)
    expect(before.body.data.schema).toContainEqual({ name: 'people', type: 'string' })
    await request('PATCH', `/v1/data/sources/${id}`, { config: { title_field: 'label', text_field: 'label' } })

    const started = await startSync(id)
    expect(started.status).toBe(202)
    const { data } = started.body
    expect(data).toMatchObject({
      id: expect.stringMatching(/^sync_/),
      data_source_id: id,
      status: 'queued',
      trigger: 'manual',
      counts: { seen: 0, created: 0, updated: 0, deleted: 0, failed: 0 },
      bad_rows: [],
      cursor_before: null,
      cursor_after: null,
      progress: 0,
      error: null,
      started_at: null,
      finished_at: null,
    })
    expect(started.headers.get('location')).toBe(`${fleet.baseUrl}/v1/data/syncs/${data.id}`)

    const counts = { seen: 2, created: 0, updated: 2, deleted: 0, failed: 0 }
    expect(await waitForEnd(data.id)).toMatchObject({ status: 'finished', progress: 1, counts, error: null })
    const source = (await request('GET', `/v1/data/sources/${id}`)).body.data
    expect(source).toMatchObject({ last_sync_id: data.id, last_synced_at: expect.any(String), record_count: 2 })
    expect(source.schema).toContainEqual({ name: 'people', type: 'number' })
    const records = await request('GET', `/v1/data/sources/${id}/records`)
    expect(records.body.data).toMatchObject([{ title: 'South' }, { title: 'North' }])
    const names = { data_source_id: id, data_source_name: source.name }
    expect(await readEvents(data.id)).toEqual([
      { kind: 'DATA_SYNC_FINISHED', data: { id: data.id, status: 'finished', ...names, counts } },
    ])
  })

  it('refuses a second sync of the source, and can be cancelled', async () => {
    const blocked = await startBlockedSync()
    const second = await startSync(blocked.sourceId)
    expect(second.body).toMatchObject({ status: 409, code: 'sync_running' })
    const cancelling = request('POST', `/v1/data/syncs/${blocked.syncId}/cancel`)
    await blocked.waitForBlocked(2)
    await blocked.release()
    expect((await cancelling).body.data).toMatchObject({ id: blocked.syncId, status: 'cancelled' })
    const cancelled = await request('GET', `/v1/data/syncs/${blocked.syncId}`)
    expect(cancelled.body.data).toMatchObject({ status: 'cancelled', finished_at: expect.any(String) })
    expect((await request('POST', `/v1/data/syncs/${blocked.syncId}/cancel`)).status).toBe(200)

    const third = (await startSync(blocked.sourceId)).body.data
    expect(await waitForEnd(third.id)).toMatchObject({ status: 'finished', counts: { seen: 3000 } })
    expect((await request('POST', `/v1/data/syncs/${third.id}/cancel`)).body).toMatchObject({ status: 409 })
    const listed = await request('GET', `/v1/data/sources/${blocked.sourceId}/syncs`)
    expect(listed.body.data).toMatchObject([
      { id: third.id, status: 'finished', trigger: 'manual' },
      { id: blocked.syncId, status: 'cancelled', trigger: 'manual' },
      { status: 'finished', trigger: 'upload' },
    ])
    const filtered = await request('GET', `/v1/data/sources/${blocked.sourceId}/syncs?status=cancelled`)
    expect(filtered.body.data).toHaveLength(1)
    expect(await readEvents(blocked.syncId)).toEqual([])
  })

  it('is cancelled when its source is deleted', async () => {
    const blocked = await startBlockedSync()
    const deleting = request('DELETE', `/v1/data/sources/${blocked.sourceId}`)
    await blocked.waitForBlocked(2)
    await blocked.release()
    expect((await deleting).status).toBe(200)
    expect(await waitForEnd(blocked.syncId)).toMatchObject({ status: 'cancelled' })
    await eventually(async () => (await countRecords(blocked.sourceId)) === 0, {
      description: 'the removal of the records',
    })
  })

  it('fails and emits an event when its caller has lost the permission before it runs', async () => {
    const blocked = await startBlockedSync()
    const id = await createSource()
    const owner = await fleet.userToken(fleet.owner.ownerId, { workspaceId: fleet.owner.workspaceId })
    const key = await fleet.request('POST', '/v1/auth/api-key', { as: owner, body: {} })
    const { api_key: apiKey, key_id: keyId } = key.body.data
    const started = await fleet.request('POST', `/v1/data/sources/${id}/sync/start`, { as: apiKey })
    expect(started.body.data.status).toBe('queued')
    expect((await fleet.request('DELETE', `/v1/auth/api-key/${keyId}`, { as: owner })).status).toBe(200)
    await blocked.release()
    const failed = await waitForEnd(started.body.data.id)
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'auth', retryable: false } })
    expect(await readEvents(failed.id)).toEqual([
      {
        kind: 'DATA_SYNC_FAILED',
        data: {
          id: failed.id,
          status: 'failed',
          data_source_id: id,
          data_source_name: expect.any(String),
          error: { code: 'auth', message: failed.error.message },
        },
      },
    ])
  })

  it('finishes when the source has no records', async () => {
    const id = await createSource()
    const { data } = (await startSync(id)).body
    expect(await waitForEnd(data.id)).toMatchObject({ status: 'finished', counts: { seen: 0 } })
  })
})

describe('an upload that is answered with a sync', () => {
  it.each([
    ['the request prefers respond-async', createCsv(10), { prefer: 'respond-async' }],
    ['the body is large', createCsv(3000), {}],
  ])('has the stored rows as its result when %s', async (_, body, headers) => {
    const id = await createSource({ key: 'id' })
    const rows = body.split('\n').length - 2
    const response = await upload(id, `${body}x,y\n`, headers)
    const counts = { seen: rows + 1, created: rows, updated: 0, deleted: 0, failed: 1 }
    const bad_rows = [{ line: rows + 2, reason: 'has 2 columns where the header has 3' }]
    const { data } = response.body
    expect([response.status, data]).toMatchObject([202, { trigger: 'upload', data_source_id: id, counts, bad_rows }])
    expect(response.headers.get('location')).toBe(`${fleet.baseUrl}/v1/data/syncs/${data.id}`)
    expect(await waitForEnd(data.id)).toMatchObject({ status: 'finished', counts, bad_rows, progress: 1 })
    const source = (await request('GET', `/v1/data/sources/${id}`)).body.data
    expect(source).toMatchObject({ record_count: rows, last_sync_id: data.id })
    expect(source.schema).toContainEqual({ name: 'people', type: 'number' })
    expect(await countRecords(id)).toBe(rows)
    expect(await readEvents(data.id)).toMatchObject([{ kind: 'DATA_SYNC_FINISHED', data: { counts } }])
  })

  it('is chosen by the received bytes when the request has no content length', async () => {
    const id = await createSource({ key: 'id' })
    const response = await fleet.request('POST', `/v1/data/sources/${id}/records`, {
      as: fleet.owner.apiKey,
      rawBody: new Blob([createCsv(3000)]).stream(),
      headers: { 'content-type': 'text/csv' },
    })
    expect(response.status).toBe(202)
  })

  it('is answered with the result when it is below the limit', async () => {
    const id = await createSource({ key: 'id' })
    const body = createCsv(500)
    expect(body.length).toBeLessThan(maxSyncResponseBytes)
    expect((await upload(id, body)).status).toBe(200)
  })
})

async function countRecords(sourceId: string): Promise<number> {
  const text = 'SELECT count(*)::integer AS count FROM data_records WHERE data_source_id = $1'
  const [row] = await queryAsWorker<{ count: number }>(fleet.env('data'), text, [sourceId])
  return row?.count ?? 0
}

/** Starts a sync that waits for the row lock of a record. */
async function startBlockedSync() {
  const sourceId = await createSource({ key: 'id' })
  await upload(sourceId, createCsv(3000))
  await request('PATCH', `/v1/data/sources/${sourceId}`, { config: { title_field: 'label' } })
  const blocker = new Client({ connectionString: fleet.databases.get('data')?.adminUrl })
  await blocker.connect()
  await blocker.query('BEGIN')
  await blocker.query('SELECT FROM data_records WHERE data_source_id = $1 AND key = $2 FOR UPDATE', [sourceId, '1'])
  const syncId: string = (await startSync(sourceId)).body.data.id
  /** Waits until this many statements wait for a lock. */
  const waitForBlocked = (statements: number) =>
    eventually(
      async () => {
        const { rows } = await blocker.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        )
        return rows.length >= statements
      },
      { description: `${statements} blocked statements` },
    )
  await waitForBlocked(1)
  return {
    sourceId,
    syncId,
    waitForBlocked,
    async release() {
      await blocker.query('COMMIT')
      await blocker.end()
    },
  }
}
