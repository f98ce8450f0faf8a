import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type ServiceName, serviceNames } from '@wp/contracts'
import { eventually, startTestFleet, startTestService, type TestFleet, type TestService } from '@wp/testkit'
import { createFleetHealth } from '../src/fleet-health.ts'
import { definition } from '../src/index.ts'
import { type ReadyServer, startReadyServer } from './fixture/ready-server.ts'

const path = '/v1/system/health'

interface Health {
  status: string
  services: { name: string; status: string; latency_ms: number | null }[]
}

const statusesOf = ({ services }: Health) => Object.fromEntries(services.map(({ name, status }) => [name, status]))
const allOkExcept = (down: Partial<Record<ServiceName, string>>) => ({
  ...Object.fromEntries(serviceNames.map((name) => [name, 'ok'])),
  ...down,
})

describe('createFleetHealth', () => {
  let server: ReadyServer
  beforeAll(async () => {
    server = await startReadyServer()
  })
  afterAll(() => server.stop())

  it('probes a service once a second, however often it is read', async () => {
    let time = 0
    const health = createFleetHealth({
      instances: [{ name: 'data', shard: 'one' }],
      addressOf: () => server.address,
      now: () => time,
    })
    const readMany = () => Promise.all(Array.from({ length: 20 }, () => health.read()))
    await readMany()
    await readMany()
    time = 999
    await readMany()
    expect(server.probes).toBe(1)
    time = 1000
    await readMany()
    expect(server.probes).toBe(2)
  })
})

describe('GET /v1/system/health', () => {
  let servers: Map<ServiceName, ReadyServer>
  let system: TestService
  beforeAll(async () => {
    servers = new Map(await Promise.all(serviceNames.map(async (name) => [name, await startReadyServer()] as const)))
    const addresses = [...servers].map(([name, { address }]) => `${name}=${address}`)
    system = await startTestService(definition, { UPSTREAM_OVERRIDES: addresses.join(',') })
  })
  afterAll(async () => {
    await system.stop()
    await Promise.all([...servers.values()].map((server) => server.stop()))
  })

  const read = async (): Promise<Health> => (await system.request('GET', path)).body.data
  const serverOf = (name: ServiceName) => servers.get(name) as ReadyServer // one was started for every name
  /** Waits for the first result that is not a cached one. */
  const untilStatus = (status: string) =>
    eventually(async () => {
      const health = await read()
      return health.status === status ? health : false
    })

  it('is ok with a latency for each service when all are ready', async () => {
    const health = await untilStatus('ok')
    expect(statusesOf(health)).toEqual(allOkExcept({}))
    for (const { latency_ms: latency } of health.services) expect(latency).toBeGreaterThanOrEqual(0)
  })

  it('is degraded, with status 200, while a service is down', async () => {
    await serverOf('data').stop()
    expect(await untilStatus('degraded')).toMatchObject({
      services: expect.arrayContaining([expect.objectContaining({ name: 'data', status: 'down', latency_ms: null })]),
    })
    expect((await system.request('GET', path)).status).toBe(200)
    expect(statusesOf(await read())).toEqual(allOkExcept({ data: 'down' }))
    await serverOf('data').start()
    expect(statusesOf(await untilStatus('ok'))).toEqual(allOkExcept({}))
  })

  it.each(['draining', 'hang'] as const)('is degraded while a service has the behavior %s', async (behavior) => {
    serverOf('solutions').behave(behavior)
    expect(statusesOf(await untilStatus('degraded'))).toEqual(allOkExcept({ solutions: 'down' }))
    serverOf('solutions').behave('ready')
    await untilStatus('ok')
  })
})

describe('GET /v1/system/health through the edge', () => {
  let fleet: TestFleet
  beforeAll(async () => {
    fleet = await startTestFleet()
  })
  afterAll(() => fleet.stop())

  it('needs no credential and reports a service that stops and restarts', async () => {
    const untilStatus = (status: string): Promise<Health> =>
      eventually(async () => {
        const response = await fleet.request('GET', path)
        return response.status === 200 && response.body.data.status === status ? response.body.data : false
      })
    expect(statusesOf(await untilStatus('ok'))).toEqual(allOkExcept({}))
    await fleet.member('webhook-delivery').stop()
    expect(statusesOf(await untilStatus('degraded'))).toEqual(allOkExcept({ 'webhook-delivery': 'down' }))
    await fleet.restart('webhook-delivery')
    expect(statusesOf(await untilStatus('ok'))).toEqual(allOkExcept({}))
  })
})
