import { afterAll, expect, it } from '@jest/globals'
import { eventually, startTestFleet } from '@wp/testkit'
import { queryAsWorker, withClient } from '../support/database.ts'

const fleet = await startTestFleet({ processes: ['data'], services: ['auth', 'data'] })
afterAll(() => fleet.stop())

/** Eight batches: the sync is interrupted twice while it is under way. */
const rows = 8_000
const csv = `id,label,people\n${Array.from({ length: rows }, (_, index) => `${index},room ${index},${index % 9}\n`).join('')}`

const request = (method: string, path: string, body?: unknown) =>
  fleet.request(method, path, { as: fleet.owner.apiKey, body })

const getSync = async (id: string) => (await request('GET', `/v1/data/syncs/${id}`)).body.data

it('resumes where a killed and a stopped process left it, and counts no record twice', async () => {
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
