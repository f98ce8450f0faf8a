import { afterAll, describe, expect, it } from '@jest/globals'
import type { Caller } from '@wp/contracts'
import { connectDatabase } from '@wp/database'
import { createRelay } from '@wp/events'
import { noLog } from '@wp/runtime'
import { createTestDatabase, startReceiver } from '@wp/testkit'
import { startHarness } from '../fixture/harness.ts'

/** No poll happens during the test. */
const pollMs = 3_600_000

const harness = await startHarness({}, { settings: { pollMs, concurrency: 2 } })
const receiver = await startReceiver()
const producerTables = await createTestDatabase('producer-test')
const producer = connectDatabase({
  url: producerTables.url,
  workerUrl: producerTables.workerUrl,
  prisma: () => ({}),
  shard: harness.bus.shard,
  log: noLog,
})
const relay = createRelay({ database: producer, bus: harness.bus, service: 'solutions', log: noLog, pollMs })
await relay.start()

afterAll(async () => {
  await relay.stop()
  await producer.close()
  await producerTables.drop()
  await receiver.close()
  await harness.stop()
})

describe('an event', () => {
  it.each(['best_effort', 'strict'])(
    'is delivered without waiting for a poll when the ordering is %s',
    async (ordering) => {
      const id = await harness.subscribe({ endpoint: receiver.url(`/${ordering}`), secret: 's', ordering })
      const caller: Caller = { ...harness.service.caller, requestId: 'req-wakes' }
      for (let index = 0; index < 10; index += 1) {
        receiver.clear()
        await producer.transact(caller, async (tx) =>
          tx.emit({ kind: 'FORECASTING_FINISHED', data: { id: `fr_${index}`, status: 'finished' } }),
        )
        expect(await receiver.waitFor(({ path }) => path === `/${ordering}`)).toBeDefined()
      }
      await harness.call('DELETE', `/webhooks/${id}`)
    },
  )

  it('is delivered without waiting for a poll when there are more than the process and the endpoint take', async () => {
    receiver.clear()
    const ids = await Promise.all(
      ['one', 'two'].map((path) => harness.subscribe({ endpoint: receiver.url(`/${path}`), secret: 's' })),
    )
    const caller: Caller = { ...harness.service.caller, requestId: 'req-wakes' }
    await producer.transact(caller, async (tx) => {
      for (let index = 0; index < 15; index += 1)
        tx.emit({ kind: 'FORECASTING_FINISHED', data: { id: `fr_many_${index}`, status: 'finished' } })
    })
    expect(await receiver.waitFor(30)).toHaveLength(30)
    for (const id of ids) await harness.call('DELETE', `/webhooks/${id}`)
  })
})
