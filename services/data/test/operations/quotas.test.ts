import { afterAll, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { setTestQuota } from '@wp/testkit'
import { queryAsWorker } from '../support/database.ts'
import { startDataService, streamOf } from '../support/service.ts'

const service = await startDataService({ DATABASE_POOL_SIZE: '6' })
afterAll(() => service.stop())

type Quota = Parameters<typeof setTestQuota>[2]
type Use = { quota: string; current: number }

/** A workspace of its own, with limits. */
async function createWorkspace(limits: Partial<Record<Quota, number>>) {
  const caller = { workspaceId: newId('ws') }
  for (const [quota, maximum] of Object.entries(limits))
    await setTestQuota(service.env.DATABASE_WORKER_URL, caller.workspaceId, quota as Quota, maximum) // the keys are quota names
  return {
    create: () => service.request('POST', '/v1/data/sources', { body: { name: 'Rooms', provider: 'upload' }, caller }),
    createSource: (fields = {}) => service.createSource({ config: { key: 'id' }, ...fields }, caller),
    upload: (id: string, rawBody: string | ReadableStream<Uint8Array>, headers = {}) =>
      service.request('POST', `/v1/data/sources/${id}/records`, {
        caller,
        rawBody,
        headers: { 'content-type': 'application/x-ndjson', ...headers },
      }),
    request: (method: string, path: string, body?: unknown) =>
      service.request(method, path, { caller, ...(body === undefined ? {} : { body }) }),
    async use(quota: Quota): Promise<number | undefined> {
      const { body } = await service.request('GET', '/internal/data/quota-usage', { caller, signer: 'system' })
      return body.data.quotas.find((use: Use) => use.quota === quota)?.current
    },
    recordCount: async (id: string) =>
      (await service.request('GET', `/v1/data/sources/${id}`, { caller })).body.data.record_count,
  }
}

const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `${JSON.stringify({ id: `${from + at}` })}\n`).join('')

const quotaExceeded = (quota: Quota, limit: number, current: number) => ({
  status: 403,
  body: expect.objectContaining({ code: 'quota_exceeded', quota, limit, current }),
})

describe('the quota of data sources', () => {
  it('admits exactly one of 50 concurrent creations when one is left', async () => {
    const workspace = await createWorkspace({ sources: 3 })
    await workspace.createSource()
    await workspace.createSource()
    const responses = await Promise.all(Array.from({ length: 50 }, workspace.create))
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(responses.find(({ status }) => status !== 201)).toMatchObject(quotaExceeded('sources', 3, 3))
    expect(await workspace.use('sources')).toBe(3)
  })
})

describe('the quota of records', () => {
  it('ends an upload that would exceed it; the batches before remain', async () => {
    const workspace = await createWorkspace({ records: 1500 })
    const source = await workspace.createSource()
    expect(await workspace.upload(source, lines(0, 2500))).toMatchObject(quotaExceeded('records', 1500, 1000))
    expect(await workspace.recordCount(source)).toBe(1000)
    expect(await workspace.upload(source, lines(0, 1500))).toMatchObject({ status: 200 })
    expect(await workspace.use('records')).toBe(1500)
  })

  it('is shared by the sources of a workspace, and admits no more when they grow concurrently', async () => {
    const workspace = await createWorkspace({ records: 25 })
    const sources = await Promise.all(Array.from({ length: 5 }, () => workspace.createSource()))
    const responses = await Promise.all(sources.map((source) => workspace.upload(source, lines(0, 10))))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(2)
    expect(await workspace.use('records')).toBe(20)
  })

  it('does not count a changed record, and admits others once a source is deleted', async () => {
    const workspace = await createWorkspace({ records: 2 })
    const [first, second] = [await workspace.createSource(), await workspace.createSource()]
    await workspace.upload(first, lines(0, 2))
    expect(await workspace.upload(first, '{"id":"0","name":"North"}\n')).toMatchObject({ status: 200 })
    expect(await workspace.upload(second, lines(0, 1))).toMatchObject(quotaExceeded('records', 2, 2))
    await workspace.request('DELETE', `/v1/data/sources/${first}`)
    expect(await workspace.upload(second, lines(0, 1))).toMatchObject({ status: 200 })
  })
})

describe('the quota of stored bytes', () => {
  const sizes = (...rows: unknown[]) =>
    rows.reduce((sum: number, row) => sum + Buffer.byteLength(JSON.stringify(row)), 0)

  it('counts each record once, at its present size', async () => {
    const workspace = await createWorkspace({})
    const source = await workspace.createSource()
    const [first, second] = [{ id: 'a', name: 'Café' }, { id: 'b' }]
    const [changed, duplicate] = [
      { id: 'a', name: 'C' },
      { id: 'b', note: 'twice in one upload' },
    ]
    const send = (...rows: unknown[]) =>
      workspace.upload(source, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    await send(first, second)
    expect(await workspace.use('stored_bytes')).toBe(sizes(first, second))
    await send(first, second)
    expect(await workspace.use('stored_bytes')).toBe(sizes(first, second))
    await send(changed, second, duplicate)
    expect(await workspace.use('stored_bytes')).toBe(sizes(changed, duplicate))
    const [stored] = await queryAsWorker<{ bytes: number }>(
      service.env,
      'SELECT sum(bytes)::integer AS bytes FROM data_records WHERE data_source_id = $1',
      [source],
    )
    expect(stored?.bytes).toBe(sizes(changed, duplicate))
  })

  it('rejects an upload that would exceed it, but not one that makes a record smaller', async () => {
    const workspace = await createWorkspace({ stored_bytes: 50 })
    const source = await workspace.createSource()
    const send = (length: number) => workspace.upload(source, `${JSON.stringify({ id: 'a', n: 'x'.repeat(length) })}\n`)
    expect(await send(30)).toMatchObject({ status: 200 })
    expect(await send(40)).toMatchObject(quotaExceeded('stored_bytes', 50, 47))
    expect(await send(5)).toMatchObject({ status: 200 })
    expect(await workspace.use('stored_bytes')).toBe(22)
  })
})

describe('the quota of uploaded bytes a day', () => {
  const body = lines(0, 4)

  it('counts the bodies of uploads, also of rejected rows', async () => {
    const workspace = await createWorkspace({})
    const source = await workspace.createSource()
    await workspace.upload(source, body)
    await workspace.upload(source, 'not json\n')
    expect(await workspace.use('uploaded_bytes_per_day')).toBe(body.length + 9)
  })

  it('rejects a body of known length before it is read', async () => {
    const workspace = await createWorkspace({ uploaded_bytes_per_day: 2 * body.length - 1 })
    const source = await workspace.createSource()
    await workspace.upload(source, body)
    const rejected = await workspace.upload(source, body)
    expect(rejected).toMatchObject(quotaExceeded('uploaded_bytes_per_day', 2 * body.length - 1, body.length))
    expect(await workspace.use('uploaded_bytes_per_day')).toBe(body.length)
  })

  it('admits exactly one of 50 concurrent uploads when one is left', async () => {
    const workspace = await createWorkspace({ uploaded_bytes_per_day: 2 * body.length })
    const source = await workspace.createSource()
    await workspace.upload(source, body)
    const responses = await Promise.all(Array.from({ length: 50 }, () => workspace.upload(source, body)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await workspace.use('uploaded_bytes_per_day')).toBe(2 * body.length)
  })

  it('ends a body of unknown length where the quota does, and counts exactly what was read', async () => {
    const workspace = await createWorkspace({ uploaded_bytes_per_day: 100_000 })
    const source = await workspace.createSource()
    const small = streamOf([lines(0, 100)])
    expect(await workspace.upload(source, small)).toMatchObject({ status: 200 })
    const used = lines(0, 100).length
    expect(await workspace.use('uploaded_bytes_per_day')).toBe(used)
    const large = streamOf(Array.from({ length: 100 }, (_, at) => lines(at * 1000, at * 1000 + 1000)))
    expect(await workspace.upload(source, large)).toMatchObject({ status: 403, body: { code: 'quota_exceeded' } })
    const after = (await workspace.use('uploaded_bytes_per_day')) ?? 0
    expect(after).toBeGreaterThanOrEqual(used)
    expect(after).toBeLessThanOrEqual(100_000)
  })
})

describe('the quota of queued syncs', () => {
  it('rejects a start, and answers an upload with its result at once', async () => {
    const workspace = await createWorkspace({ queued_jobs: 0 })
    const source = await workspace.createSource()
    expect(await workspace.request('POST', `/v1/data/sources/${source}/sync/start`)).toMatchObject({
      status: 403,
      body: { code: 'quota_exceeded', quota: 'queued_jobs', kind: 'sync', limit: 0, current: 0 },
    })
    const uploaded = await workspace.upload(source, lines(0, 2), { prefer: 'respond-async' })
    expect(uploaded).toMatchObject({ status: 200, body: { data: { record_count: 2 } } })
  })
})
