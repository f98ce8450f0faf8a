import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Edge, eventually, startTestFleet, type TestFleet } from '@wp/testkit'
import { type Balancer, startBalancer } from './balancer.ts'
import { startSlowService } from './slow-service.ts'
import { startTraffic } from './traffic.ts'

/** Duration of slow requests and uploads; WP_DRAIN_SLOW_SECONDS=5 runs the longer variant. */
const slowMs = 1000 * Number(process.env.WP_DRAIN_SLOW_SECONDS ?? 1.5)

let slowService: Awaited<ReturnType<typeof startSlowService>>
let fleet: TestFleet
let balancer: Balancer
let keys: string[]
let first: Edge
let second: Edge
beforeAll(async () => {
  slowService = await startSlowService()
  fleet = await startTestFleet({
    processes: ['gateway'],
    services: ['auth', 'system'],
    env: { gateway: { UPSTREAM: slowService.url, DRAIN_SECONDS: '3' } },
  })
  first = { baseUrl: fleet.baseUrl, adminUrl: fleet.adminUrl, member: fleet.member('gateway') }
  second = await fleet.addEdge()
  balancer = await startBalancer([first, second])
  const as = await fleet.token(fleet.owner)
  keys = []
  while (keys.length < 10)
    keys.push((await fleet.request('POST', '/v1/auth/api-key', { as, body: {} })).body.data.api_key)
})
afterAll(async () => {
  await balancer.stop()
  await fleet.stop()
  await slowService.stop()
})

describe('stopping one of two edges', () => {
  it.each(['first', 'second'])('fails no request of clients that do not retry: the %s', async (which) => {
    const edge = which === 'first' ? first : second
    const traffic = startTraffic({ url: balancer.url, keys, slowMs })
    const through = (kind: string) => traffic.inFlight(kind).filter((port) => balancer.targetOf(port) === edge).length
    const kinds = ['slow', 'upload', 'events'] as const
    await eventually(() => kinds.every((kind) => through(kind) > 0) && (traffic.completed.get('kept') ?? 0) > 50)
    const [slow, uploads, streams] = kinds.map(through)
    await edge.member.stop()
    const wasReady = balancer.isReady(edge)
    await traffic.finish()
    if (which === 'first') await fleet.restart('gateway')
    if (process.env.WP_DRAIN_SHOW !== undefined)
      process.stdout.write(
        `${which}: ${inspect({ inFlight: { slow, uploads, streams }, completed: traffic.completed })}\n`,
      )
    expect({ failures: traffic.failures, balancer: balancer.failures }).toEqual({ failures: [], balancer: [] })
    expect(wasReady).toBe(false)
    expect(traffic.completed.get('events')).toBeGreaterThanOrEqual(streams ?? 1)
  })
})
