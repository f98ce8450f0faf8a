import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Caller } from '@wp/contracts'
import { connectDatabase, type Database } from '@wp/database'
import { createRelay } from '@wp/events'
import type { Worker } from '@wp/runtime'
import { createTestDatabase, type Receiver, startReceiver, type TestDatabase } from '@wp/testkit'
import { type Harness, startHarness } from '../fixture/harness.ts'

let harness: Harness
let receiver: Receiver
let producerTables: TestDatabase
let producer: Database
let relay: Worker

beforeAll(async () => {
  harness = await startHarness()
  receiver = await startReceiver()
  producerTables = await createTestDatabase('producer-test')
  const log = { warn() {}, error() {} }
  producer = connectDatabase({
    url: producerTables.url,
    workerUrl: producerTables.workerUrl,
    prisma: () => ({}),
    shard: harness.bus.shard,
    log,
  })
  relay = createRelay({ database: producer, bus: harness.bus, service: 'solutions', log })
  await relay.start()
})

afterAll(async () => {
  await relay?.stop()
  await producer?.close()
  await producerTables?.drop()
  await harness?.stop()
  await receiver?.close()
})

describe('from the commit of an event to the receiver', () => {
  it('it takes a few milliseconds: nothing on the way waits for a poll', async () => {
    await harness.subscribe({ endpoint: receiver.url(), secret: 's' })
    const caller: Caller = { ...harness.service.caller, requestId: 'req-latency' }
    const waits: number[] = []
    for (let index = 0; index < 30; index += 1) {
      receiver.clear()
      await producer.transact(caller, async (tx) =>
        tx.emit({ kind: 'FORECASTING_FINISHED', data: { id: `fr_${index}`, status: 'finished' } }),
      )
      const committedAt = performance.now()
      await receiver.waitFor(1)
      waits.push(performance.now() - committedAt)
    }
    waits.sort((a, b) => a - b)
    // The goal is 100 ms for 95 of 100 on an idle machine; tests share theirs, so the half is held to it.
    expect(waits[15]).toBeLessThan(100)
    if (process.env.WP_TEST_FIGURES)
      process.stdout.write(`p50 ${waits[15]?.toFixed(1)} ms, p95 ${waits[28]?.toFixed(1)} ms\n`)
  })
})
