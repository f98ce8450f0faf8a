import { afterAll, expect, it } from '@jest/globals'
import { connectBus } from '@wp/events'
import { eventually, openWorkerPool } from '@wp/testkit'
import { syncSchedule } from '../../src/schedule/sync-scheduler.ts'
import { embeddingChoiceQueue } from '../../src/store/embeddings/embedding-choice.ts'
import { syncScheduleQueue } from '../../src/store/sources/due-sources.ts'
import { startDataService } from '../support/service.ts'

const log = { warn() {}, error() {} }
const service = await startDataService()
const bus = await connectBus({ servers: service.env.NATS_URL ?? '', shard: service.env.SHARD ?? '', name: 'test', log })
afterAll(async () => {
  await bus.close()
  await service.stop()
})

const every = (seconds: number) => ({ type: 'interval', interval_seconds: seconds })
const createSource = (schedule: object) =>
  service.createSource({ provider: 'http', config: { url: 'http://127.0.0.1:9009/rows.csv' }, schedule })

it.each([
  ['a source with a schedule is created', syncScheduleQueue, () => createSource(every(3_600))],
  [
    'a source gets another schedule',
    syncScheduleQueue,
    async () => {
      const id = await createSource({ type: 'manual' })
      await service.request('PATCH', `/v1/data/sources/${id}`, { body: { schedule: every(3_600) } })
    },
  ],
  [
    'the integration for embeddings is chosen',
    embeddingChoiceQueue,
    () => service.request('PATCH', '/v1/data/embedding', { body: { integration_id: null } }),
  ],
])('wakes the schedule when %s', async (_when, queue, change) => {
  let wakes = 0
  const unsubscribe = bus.onWake('data', queue, () => {
    wakes += 1
  })
  // Repeated, because the subscription may begin after the first change.
  await eventually(async () => {
    await change()
    return wakes > 0
  })
  unsubscribe()
})

it('pauses until the next source is due', async () => {
  const id = await createSource(every(1_800))
  const due = Date.parse((await service.get(`/v1/data/sources/${id}`)).body.data.next_sync_at)
  const worker = openWorkerPool(service.env.DATABASE_WORKER_URL ?? '')
  // Without a due source, a pass uses the worker's pool only.
  const database = { worker } as unknown as Parameters<typeof syncSchedule>[0]['database']
  const passAt = (at: number) => syncSchedule({ database, log, now: () => at }).pass(new AbortController().signal)
  expect([await passAt(due - 5_000), await passAt(due - 60_000)]).toEqual([5_000, 'idle'])
  await worker.end()
})
