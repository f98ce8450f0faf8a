import { afterAll, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { eventually } from '@wp/testkit'
import { queryAsWorker } from '../support/database.ts'
import { startDataService } from '../support/service.ts'

const service = await startDataService()
afterAll(() => service.stop())

interface Use {
  meter: string
  quantity: number
}

/** Returns the use that was reported of a source, in order. */
const useOf = async (sourceId: string): Promise<string[]> => {
  const rows = await queryAsWorker<Use>(
    service.env,
    `SELECT data->>'meter' AS meter, (data->>'quantity')::int AS quantity FROM platform.outbox
     WHERE kind = 'USAGE_RECORDED' AND data->'dimensions'->>'data_source_id' = $1 ORDER BY position`,
    [sourceId],
  )
  return rows.map(({ meter, quantity }) => `${meter} ${quantity}`)
}

const setExhausted = (meter: string, exhausted: boolean, period = '1 day') =>
  queryAsWorker(
    service.env,
    `INSERT INTO platform.meter_limits (workspace_id, meter, exhausted, period_end, version)
     VALUES ($1, $2, $3, now() + $4::interval, 1)
     ON CONFLICT (workspace_id, meter) DO UPDATE SET exhausted = excluded.exhausted, period_end = excluded.period_end`,
    [service.caller.workspaceId, meter, exhausted, period],
  )

const upload = (id: string, ...rows: string[]) => service.upload(id, 'text/csv', `id,people\n${rows.join('\n')}\n`)

/** Queues a sync as the schedule does: without a caller. */
const startScheduled = (sourceId: string) =>
  queryAsWorker(
    service.env,
    `INSERT INTO platform.jobs (id, queue, workspace_id, subject, exclusive, input)
     VALUES ($1, 'sync', $2, $3, $3, '{"trigger": "schedule"}')`,
    [newId('sync'), service.caller.workspaceId, sourceId],
  )

describe('the meter of records', () => {
  it('counts the records that an upload creates or changes', async () => {
    const id = await service.createSource({ config: { key: 'id' } })
    await upload(id, 'a,1', 'b,2', 'c,3')
    await upload(id, 'a,1', 'b,2', 'c,3')
    await upload(id, 'a,1', 'b,20', 'd,4')
    expect(await useOf(id)).toEqual(['records 3', 'records 2'])
  })

  it('refuses further records while it is exhausted, until the period ends', async () => {
    const id = await service.createSource({ config: { key: 'id' } })
    await upload(id, 'a,1')
    await setExhausted('records', true)
    const refused = await upload(id, 'b,2')
    expect([refused.status, refused.body.code, refused.body.meter]).toEqual([403, 'quota_exceeded', 'records'])
    expect((await upload(id, 'a,1')).status).toBe(200) // unchanged
    await setExhausted('records', true, '-1 second')
    expect((await upload(id, 'b,2')).status).toBe(200)
    expect(await useOf(id)).toEqual(['records 1', 'records 1'])
  })
})

describe('the meter of syncs', () => {
  it('counts a finished sync, and refuses further ones while it is exhausted', async () => {
    const id = await service.createSource({ config: { key: 'id' } })
    await upload(id, 'a,1')
    await startScheduled(id)
    await eventually(async () => (await useOf(id)).includes('syncs 1'))
    const start = () => service.request('POST', `/v1/data/sources/${id}/sync/start`, { body: {} })
    await setExhausted('syncs', true)
    const refused = await start()
    expect([refused.status, refused.body.code, refused.body.meter]).toEqual([403, 'quota_exceeded', 'syncs'])
    await setExhausted('syncs', false)
    expect((await start()).status).toBe(202)
  })
})
