import { afterAll, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { createQueueReader } from '../src/runner/queue-reader.ts'
import { openTestEnvironment } from './fixture/test-environment.ts'
import { queue } from './fixture/test-jobs.ts'

const environment = await openTestEnvironment()
afterAll(() => environment.close())

it('reports the number of due jobs of its queue', async () => {
  await Promise.all(Array.from({ length: 3 }, () => environment.enqueue()))
  await environment.enqueue({ runAt: new Date(Date.now() + 3_600_000) })
  const gaugeCalls: unknown[] = []
  const metrics = { count() {}, observe() {}, gauge: (...gauge: unknown[]) => void gaugeCalls.push(gauge) }
  const log = { warn() {}, error() {} }
  const readers = [queue, 'another'].map((name) =>
    createQueueReader({ worker: environment.connect().worker, queue: name, metrics, log, pollMs: 50 }),
  )
  await Promise.all(readers.map(({ worker }) => worker.start()))
  // One queue may report twice before the other does.
  await eventually(() => {
    expect(gaugeCalls).toContainEqual(['jobs_waiting', 3, { queue }])
    expect(gaugeCalls).toContainEqual(['jobs_waiting', 0, { queue: 'another' }])
    return true
  })
  await Promise.all(readers.map(({ worker }) => worker.stop()))
})

it('returns the time until the next job is due, and counts what waits once in an interval', async () => {
  const gauges: unknown[] = []
  const metrics = { count() {}, observe() {}, gauge: (...gauge: unknown[]) => void gauges.push(gauge) }
  const name = 'later'
  const { worker } = environment.connect()
  const log = { warn() {}, error() {} }
  const reader = createQueueReader({ worker, queue: name, metrics, log })
  const counting = createQueueReader({ worker, queue: name, metrics, log, pollMs: 0 })
  expect(await reader.findMsUntilDue()).toBeUndefined()
  await environment.enqueue({ queue: name, runAt: new Date(Date.now() + 3_600_000) })
  expect(await reader.findMsUntilDue()).toBeGreaterThan(3_000_000)
  await environment.enqueue({ queue: name })
  expect(await reader.findMsUntilDue()).toBeLessThanOrEqual(0)
  expect(await counting.findMsUntilDue()).toBeLessThanOrEqual(0)
  expect(gauges.filter((gauge) => Array.isArray(gauge) && gauge[0] === 'jobs_waiting')).toEqual(
    [0, 1].map((waiting) => ['jobs_waiting', waiting, { queue: name }]),
  )
})
