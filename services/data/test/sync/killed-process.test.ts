import { afterAll, expect, it } from '@jest/globals'
import { eventually, startTestFleet } from '@wp/testkit'
import { queryAsWorker, withClient } from '../support/database.ts'

const fleet = await startTestFleet({ processes: ['data'], services: ['auth', 'data', 'integrations'] })
afterAll(() => fleet.stop())

const request = (method: string, path: string, body?: unknown) =>
  fleet.request(method, path, { as: fleet.owner.apiKey, body })
const listUses = (integrationId: string) =>
  queryAsWorker<{ id: string }>(
    fleet.env('integrations'),
    'SELECT id FROM integration_uses WHERE integration_id = $1',
    [integrationId],
  )

it('a registered use is released when the process is killed before its source is inserted', async () => {
  const config = { base_url: 'http://127.0.0.1:9009/api' }
  const made = await request('POST', '/v1/integrations/integrations', { provider: 'http', name: 'Doors', config })
  const integrationId: string = made.body.data.integration_id
  const path = `/v1/integrations/integrations/${integrationId}`

  await withClient(fleet.env('data').DATABASE_WORKER_URL, async (client) => {
    // The table lock blocks the insert of the source, after the use is registered.
    await client.query('BEGIN')
    await client.query('LOCK TABLE data_sources IN ROW EXCLUSIVE MODE')
    await client.query('LOCK TABLE data_sources IN SHARE MODE')
    const body = {
      name: 'Doors',
      provider: 'http',
      integration_id: integrationId,
      config: { url: `${config.base_url}/x` },
    }
    const creating = request('POST', '/v1/data/sources', body)
    await eventually(async () => (await listUses(integrationId)).length === 1, { description: 'the use' })
    await fleet.member('data').kill()
    expect((await creating).status).toBeGreaterThanOrEqual(500)
    await client.query('ROLLBACK')
  })
  await fleet.restart('data')
  expect((await request('GET', '/v1/data/sources')).body.data).toEqual([])
  expect((await request('DELETE', path)).status).toBe(409)

  // The release is queued for a minute later; make it due now.
  const due = `UPDATE platform.jobs SET run_at = now() WHERE queue = 'release' AND state = 'queued' RETURNING id`
  expect(await queryAsWorker(fleet.env('data'), due)).toHaveLength(1)
  await eventually(async () => (await listUses(integrationId)).length === 0, { description: 'the end of the use' })
  expect((await request('DELETE', path)).status).toBe(200)
})

/** Eight batches: the sync is interrupted twice while it is under way. */
const rows = 8_000
const csv = `id,label,people\n${Array.from({ length: rows }, (_, index) => `${index},room ${index},${index % 9}\n`).join('')}`

const getSync = async (id: string) => (await request('GET', `/v1/data/syncs/${id}`)).body.data

it('a sync resumes where a killed and a stopped process left it, and counts no record twice', async () => {
  const source = await request('POST', '/v1/data/sources', { name: 'Rooms', provider: 'upload', config: { key: 'id' } })
  expect([source.status, source.body]).toMatchObject([201, {}])
  const id: string = source.body.data.data_source_id
  const uploaded = await fleet.request('POST', `/v1/data/sources/${id}/records`, {
    as: fleet.owner.apiKey,
    rawBody: csv,
    headers: { 'content-type': 'text/csv' },
  })
  expect(uploaded.body.data.record_count).toBe(rows)
  await request('PATCH', `/v1/data/sources/${id}`, { config: { title_field: 'label' } })

  const syncId: string = (await request('POST', `/v1/data/sources/${id}/sync/start`)).body.data.id
  const atFirst = await waitForProgress(syncId, 0)
  await fleet.member('data').kill()
  // The lease of the killed process would expire after 15 s.
  await queryAsWorker(
    fleet.env('data'),
    `UPDATE platform.jobs SET lease_until = now() - interval '1 s' WHERE id = $1`,
    [syncId],
  )
  await fleet.restart('data')
  const atSecond = await waitForProgress(syncId, atFirst)
  await fleet.member('data').stop()
  await fleet.restart('data')
  const sync = await eventually(async () => {
    const found = await getSync(syncId)
    return found.status !== 'running' && found.status !== 'queued' && found
  })
  expect(atSecond).toBeLessThan(rows)
  expect(sync).toMatchObject({
    status: 'finished',
    counts: { seen: rows, created: 0, updated: rows, deleted: 0, failed: 0 },
  })
  const titled = await queryAsWorker<{ count: number }>(
    fleet.env('data'),
    `SELECT count(*)::integer AS count FROM data_records WHERE data_source_id = $1 AND title = data->>'label'`,
    [id],
  )
  expect(titled).toEqual([{ count: rows }])
  const { schema } = (await request('GET', `/v1/data/sources/${id}`)).body.data
  expect(schema).toEqual([
    { name: 'id', type: 'number' },
    { name: 'label', type: 'string' },
    { name: 'people', type: 'number' },
  ])
  const lost = await withClient(fleet.databases.get('data')?.adminUrl, (client) =>
    client.query('SELECT lost_leases FROM platform.jobs WHERE id = $1', [syncId]),
  )
  // On a busy machine a runner can lose its lease without having been killed.
  expect(lost.rows[0].lost_leases).toBeGreaterThanOrEqual(1)
})

/** Waits until the sync has seen more records. @returns the number of records it has seen */
const waitForProgress = (syncId: string, seenBefore: number): Promise<number> =>
  eventually(
    async () => {
      const { counts } = await getSync(syncId)
      return counts.seen > seenBefore && counts.seen
    },
    { intervalMs: 2, description: 'a sync under way' },
  )
