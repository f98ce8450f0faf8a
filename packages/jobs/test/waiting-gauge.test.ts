import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { createWaitingGauge } from '../src/waiting-gauge.ts'
import { openWorld, queue, type World } from './fixture/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

it('says how many jobs of its queue could run now', async () => {
  await Promise.all(Array.from({ length: 3 }, () => world.enqueue()))
  await world.enqueue({ runAt: new Date(Date.now() + 3_600_000) })
  const said: unknown[] = []
  const metrics = { count() {}, observe() {}, gauge: (...gauge: unknown[]) => void said.push(gauge) }
  const log = { warn() {}, error() {} }
  const gauges = [queue, 'another'].map((name) =>
    createWaitingGauge({ worker: world.connect().worker, queue: name, metrics, log, pollMs: 50 }),
  )
  await Promise.all(gauges.map((gauge) => gauge.start()))
  await eventually(() => said.length >= 2)
  await Promise.all(gauges.map((gauge) => gauge.stop()))
  expect(said).toContainEqual(['jobs_waiting', 3, { queue }])
  expect(said).toContainEqual(['jobs_waiting', 0, { queue: 'another' }])
})
