import { afterAll, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { createWaitingGauge } from '../src/runner/waiting-gauge.ts'
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
  const gauges = [queue, 'another'].map((name) =>
    createWaitingGauge({ worker: environment.connect().worker, queue: name, metrics, log, pollMs: 50 }),
  )
  await Promise.all(gauges.map((gauge) => gauge.start()))
  // One queue may report twice before the other does.
  await eventually(() => {
    expect(gaugeCalls).toContainEqual(['jobs_waiting', 3, { queue }])
    expect(gaugeCalls).toContainEqual(['jobs_waiting', 0, { queue: 'another' }])
    return true
  })
  await Promise.all(gauges.map((gauge) => gauge.stop()))
})
