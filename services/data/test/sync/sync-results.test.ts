import { afterAll, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { eventually } from '@wp/testkit'
import { queryAsWorker } from '../support/database.ts'
import { startDataService } from '../support/service.ts'

const service = await startDataService()
afterAll(() => service.stop())

const getSource = async (id: string) => (await service.get(`/v1/data/sources/${id}`)).body.data

/** Queues a scheduled sync and waits for its end. */
async function runSync(id: string, lostLeases = 0) {
  const sync = newId('sync')
  await queryAsWorker(
    service.env,
    `INSERT INTO platform.jobs (id, queue, workspace_id, subject, exclusive, input, lost_leases)
     SELECT $2, 'sync', workspace_id, $1, $1, '{"trigger":"schedule"}', $3
       FROM data_sources WHERE data_source_id = $1`,
    [id, sync, lostLeases],
  )
  return eventually(async () => {
    const { data } = (await service.get(`/v1/data/syncs/${sync}`)).body
    return data.finished_at !== null && data
  })
}

const upload = (id: string, rows: object[]) => service.upload(id, 'application/json', JSON.stringify(rows))

it('reports schema changes without failing', async () => {
  const fields = { people: { type: 'number' } }
  const id = await service.createSource({ config: { key: 'id' } })
  await upload(id, [
    { id: 'a', people: 1, floor: '2' },
    { id: 'b', people: 'few', room: 'x' },
  ])
  await upload(id, [
    { id: 'a', people: 1, floor: 'ground' },
    { id: 'b', people: 'many', room: null },
    { id: 'c', people: 'none' },
  ])
  await upload(id, [{ id: 'a', people: 1, floor: 'ground' }])
  await service.request('PATCH', `/v1/data/sources/${id}`, { body: { config: { fields } } })
  const sync = await runSync(id)
  expect(sync).toMatchObject({ status: 'finished', trigger: 'schedule', counts: { seen: 3, failed: 0 } })
  expect(sync.schema_changes).toEqual([
    { field: 'people', change: 'not_as_declared', from: 'number', to: 'string', count: 2 },
    { field: 'room', change: 'type_changed', from: 'string', to: 'null' },
  ])
  // Discards observations of an unfinished sync, and reports no change of what is the same.
  const unfinished = `'{"people":{"count":9,"kinds":1}}'`
  await queryAsWorker(
    service.env,
    `UPDATE data_sources SET type_mismatches = ${unfinished}, pending_fields = '[]' WHERE data_source_id = $1`,
    [id],
  )
  expect((await runSync(id)).schema_changes).toEqual(sync.schema_changes.slice(0, 1))

  await service.upload(id, 'application/json', JSON.stringify([{ id: 'd', wing: 1 }]), { prefer: 'respond-async' })
  const [latest] = (await service.get(`/v1/data/sources/${id}/syncs`)).body.data
  const ended = await eventually(async () => {
    const { data } = (await service.get(`/v1/data/syncs/${latest.id}`)).body
    return data.status === 'finished' && data
  })
  expect(ended.schema_changes).toEqual([{ field: 'wing', change: 'added', from: null, to: 'number' }])
})

it('sets the last error of the source when it fails, and clears it when it succeeds', async () => {
  const id = await service.createSource()
  await upload(id, [{ a: 1 }])
  const failed = await runSync(id, 3)
  expect(failed).toMatchObject({ status: 'failed', error: { code: 'system' } })
  expect(await getSource(id)).toMatchObject({
    status: 'error',
    last_sync_id: failed.id,
    last_error: {
      code: 'system',
      message: failed.error.message,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    },
  })
  expect((await service.get('/v1/data/sources?status=error')).body.data).toHaveLength(1)
  const finished = await runSync(id)
  expect(finished.status).toBe('finished')
  expect(await getSource(id)).toMatchObject({ status: 'active', last_error: null, last_sync_id: finished.id })
  await service.request('PATCH', `/v1/data/sources/${id}`, { body: { status: 'paused' } })
  await runSync(id, 3)
  expect(await getSource(id)).toMatchObject({ status: 'paused', last_error: { code: 'system' } })
})
