import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { createWaitingGauge } from '../src/runner/waiting-gauge.ts'
import { openTestEnvironment, queue, type TestEnvironment } from './fixture/test-environment.ts'

let environment: TestEnvironment
beforeAll(async () => {
  environment = await openTestEnvironment()
})
afterAll(() => environment.close())

it('says how many jobs of its queue could run now', async () => {
  await Promise.all(Array.from({ length: 3 }, () => environment.enqueue()))
  await environment.enqueue({ runAt: new Date(Date.now() + 3_600_000) })
  const said: unknown[] = []
  const metrics = { count() {}, observe() {}, gauge: (...gauge: unknown[]) => void said.push(gauge) }
  const log = { warn() {}, error() {} }
  const gauges = [queue, 'another'].map((name) =>
    createWaitingGauge({ worker: environment.connect().worker, queue: name, metrics, log, pollMs: 50 }),
  )
  await Promise.all(gauges.map((gauge) => gauge.start()))
  await eventually(() => said.length >= 2)
  await Promise.all(gauges.map((gauge) => gauge.stop()))
  expect(said).toContainEqual(['jobs_waiting', 3, { queue }])
  expect(said).toContainEqual(['jobs_waiting', 0, { queue: 'another' }])
})
