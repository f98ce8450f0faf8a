import { afterAll, describe, expect, it } from '@jest/globals'
import { startService } from '@wp/service'
import { eventually } from '@wp/testkit'
import { definition } from '../../src/index.ts'
import { queryAsWorker } from '../support/database.ts'
import { startDataService } from '../support/service.ts'

const service = await startDataService()
const replica = await startService(definition, { ...service.env, PORT: '0' })
afterAll(async () => {
  await replica.stop()
  await service.stop()
})

const hourly = { type: 'interval', interval_seconds: 3600 }
// The address refuses connections: the results of the syncs do not matter here.
const scheduled = (schedule: object = hourly) =>
  service.createSource({ provider: 'http', config: { url: 'http://127.0.0.1:9009/rows.csv' }, schedule })
const source = async (id: string) => (await service.get(`/v1/data/sources/${id}`)).body.data
const syncs = async (id: string) => (await service.get(`/v1/data/sources/${id}/syncs`)).body.data
const patch = (id: string, body: object) => service.request('PATCH', `/v1/data/sources/${id}`, { body })

/** Makes a source due 3 hours and 10 minutes ago, and has the schedule look again. Returns that time. */
async function makeOverdue(id: string): Promise<Date> {
  const [row] = await queryAsWorker<{ due: Date }>(
    service.env,
    `UPDATE data_sources SET next_sync_at = now() - interval '3 hours 10 minutes' WHERE data_source_id = $1
     RETURNING next_sync_at AS due`,
    [id],
  )
  if (row === undefined) throw new Error(`no source ${id}`)
  await scheduled()
  return row.due
}
const movedOn = (id: string) =>
  eventually(async () => {
    const { next_sync_at: at } = await source(id)
    return at !== null && Date.parse(at) > Date.now() && at
  })

/** Adds a running sync that does not end. */
const addRunningSync = (id: string) =>
  queryAsWorker(
    service.env,
    `INSERT INTO platform.jobs (id, queue, workspace_id, subject, exclusive, input, state, lease_token, lease_until)
     SELECT 'sync_01h455vb4pex5vsknk084sn02q', 'sync', workspace_id, $1, $1, '{"trigger":"manual"}', 'running',
            gen_random_uuid(), now() + interval '1 hour'
       FROM data_sources WHERE data_source_id = $1`,
    [id],
  )

describe('a source with a schedule', () => {
  it('is synced once for all missed runs when several replicas poll', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => scheduled()))
    const due = await Promise.all(ids.map(makeOverdue))
    const times = await Promise.all(ids.map(movedOn))
    // The interval of an hour is kept: due 190 minutes ago, the next run is 4 hours after that.
    expect(times).toEqual(due.map((at) => new Date(at.getTime() + 4 * 3_600_000).toISOString()))
    for (const id of ids) expect(await syncs(id)).toEqual([expect.objectContaining({ trigger: 'schedule' })])
    const jobs = await queryAsWorker(service.env, `SELECT caller FROM platform.jobs WHERE subject = ANY ($1)`, [ids])
    expect(jobs).toEqual(ids.map(() => ({ caller: null })))
  })

  it('skips a turn while a sync is running', async () => {
    const id = await scheduled()
    await addRunningSync(id)
    await makeOverdue(id)
    await movedOn(id)
    expect((await syncs(id)).map(({ trigger }: { trigger: string }) => trigger)).toEqual(['manual'])
  })

  it('is not due while it is paused, and starts a new interval afterwards', async () => {
    const [id, other] = [await scheduled(), await scheduled()]
    expect((await patch(id, { status: 'paused' })).body.data).toMatchObject({ status: 'paused', next_sync_at: null })
    // As if it had been paused between being listed and being locked.
    await makeOverdue(id)
    await makeOverdue(other)
    await movedOn(other)
    expect(await syncs(id)).toEqual([])
    const before = Date.now()
    const { next_sync_at: at } = (await patch(id, { status: 'active' })).body.data
    const intervalStart = Date.parse(at) - 3_600_000
    expect([intervalStart >= before, intervalStart <= Date.now()]).toEqual([true, true])
  })

  it('keeps its due time when other fields change, and gets a new one with a new schedule', async () => {
    const id = await scheduled()
    const { next_sync_at: before } = await source(id)
    expect((await patch(id, { name: 'Renamed', schedule: hourly })).body.data.next_sync_at).toBe(before)
    const daily = { type: 'cron', expression: '30 6 * * *', timezone: 'Europe/Berlin' }
    const { next_sync_at: at, schedule } = (await patch(id, { schedule: daily })).body.data
    expect(schedule).toEqual(daily)
    const shown = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Berlin', timeStyle: 'short' }).format(new Date(at))
    expect([shown, Date.parse(at) > Date.now()]).toEqual(['06:30', true])
    expect((await patch(id, { schedule: { type: 'manual' } })).body.data.next_sync_at).toBeNull()
  })
})

describe('an invalid schedule', () => {
  it.each([
    [{ type: 'cron', expression: '* * * * * *' }, '/schedule/expression'],
    [{ type: 'cron', expression: '61 * * * *' }, '/schedule/expression'],
    [{ type: 'cron', expression: '0 6 * * *', timezone: 'Mars/Olympus' }, '/schedule/timezone'],
    [{ type: 'interval', interval_seconds: 59 }, '/schedule/interval_seconds'],
    [{ type: 'interval', interval_seconds: 2_592_001 }, '/schedule/interval_seconds'],
    [{ type: 'interval', interval_seconds: 90.5 }, '/schedule/interval_seconds'],
    [{ type: 'interval' }, '/schedule/interval_seconds'],
    [{ type: 'weekly' }, '/schedule/type'],
    [{ type: 'manual', expression: '0 6 * * *' }, '/schedule/expression'],
  ])('%j is rejected at %s', async (schedule, pointer) => {
    const body = { name: 'Rooms', provider: 'http', config: { url: 'http://127.0.0.1:9009/' }, schedule }
    const created = await service.request('POST', '/v1/data/sources', { body })
    const changed = await patch(await scheduled({ type: 'manual' }), { schedule })
    for (const { status, body } of [created, changed])
      expect([status, body.code, body.errors?.map((error: { pointer: string }) => error.pointer)]).toEqual([
        400,
        'validation_failed',
        [pointer],
      ])
  })

  it('is any but a manual one of an upload source', async () => {
    const created = await service.request('POST', '/v1/data/sources', {
      body: { name: 'Rooms', provider: 'upload', schedule: hourly },
    })
    const changed = await patch(await service.createSource(), { schedule: hourly })
    for (const { status, body } of [created, changed]) {
      expect(status).toBe(400)
      expect(body.errors).toContainEqual({ pointer: '/schedule/type', detail: expect.stringContaining('manual') })
    }
  })
})
