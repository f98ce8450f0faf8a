import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type ServiceName, serviceNames } from '@wp/contracts'
import { eventually, startTestFleet, startTestService, type TestFleet, type TestService } from '@wp/testkit'
import { definition } from '../src/index.ts'
import { type ReadyServer, startReadyServer } from './fixture/ready-server.ts'

const path = '/v1/system/health'

interface Health {
  status: string
  services: { name: string; status: string; latency_ms: number | null }[]
}

const statusesOf = ({ services }: Health) => Object.fromEntries(services.map(({ name, status }) => [name, status]))
const allBut = (down: Partial<Record<ServiceName, string>>) => ({
  ...Object.fromEntries(serviceNames.map((name) => [name, 'ok'])),
  ...down,
})

describe('the health of the fleet', () => {
  let members: Map<ServiceName, ReadyServer>
  let system: TestService
  beforeAll(async () => {
    members = new Map(await Promise.all(serviceNames.map(async (name) => [name, await startReadyServer()] as const)))
    const addresses = [...members].map(([name, { address }]) => `${name}=${address}`)
    system = await startTestService(definition, { UPSTREAM_OVERRIDES: addresses.join(',') })
  })
  afterAll(async () => {
    await system.stop()
    await Promise.all([...members.values()].map((member) => member.stop()))
  })

  const read = async (): Promise<Health> => (await system.request('GET', path)).body.data
  const member = (name: ServiceName) => members.get(name) as ReadyServer // one was started for every name
  /** The first answer that was not remembered from before. */
  const untilStatus = (status: string) =>
    eventually(async () => {
      const health = await read()
      return health.status === status ? health : false
    })

  it('is ok when every member is ready, with how long each took', async () => {
    const health = await untilStatus('ok')
    expect(statusesOf(health)).toEqual(allBut({}))
    for (const { latency_ms: latency } of health.services) expect(latency).toBeGreaterThanOrEqual(0)
  })

  it('asks each member once a second, however many ask', async () => {
    const before = member('data').asked
    const started = performance.now()
    let served = 0
    while (performance.now() - started < 500) {
      await Promise.all(Array.from({ length: 20 }, read))
      served += 20
    }
    const rounds = Math.floor((performance.now() - started) / 1000) + 1
    expect(member('data').asked - before).toBeLessThanOrEqual(rounds)
    expect(served).toBeGreaterThan(rounds)
  })

  it('is degraded, and still 200, while a member is gone; ok when it is back', async () => {
    await member('data').stop()
    expect(await untilStatus('degraded')).toMatchObject({
      services: expect.arrayContaining([expect.objectContaining({ name: 'data', status: 'down', latency_ms: null })]),
    })
    expect((await system.request('GET', path)).status).toBe(200)
    expect(statusesOf(await read())).toEqual(allBut({ data: 'down' }))
    await member('data').start()
    expect(statusesOf(await untilStatus('ok'))).toEqual(allBut({}))
  })

  it.each(['draining', 'hang'] as const)('is degraded by a member that does this: %s', async (behaviour) => {
    member('solutions').behave(behaviour)
    expect(statusesOf(await untilStatus('degraded'))).toEqual(allBut({ solutions: 'down' }))
    member('solutions').behave('ready')
    await untilStatus('ok')
  })
})

describe('through the edge', () => {
  let fleet: TestFleet
  beforeAll(async () => {
    fleet = await startTestFleet()
  }, 60_000)
  afterAll(() => fleet.stop())

  it('needs no credential, and follows real members down and up', async () => {
    const untilStatus = (status: string): Promise<Health> =>
      eventually(async () => {
        const answer = await fleet.request('GET', path)
        return answer.status === 200 && answer.body.data.status === status ? answer.body.data : false
      })
    expect(statusesOf(await untilStatus('ok'))).toEqual(allBut({}))
    await fleet.member('webhook-delivery').stop()
    expect(statusesOf(await untilStatus('degraded'))).toEqual(allBut({ 'webhook-delivery': 'down' }))
    await fleet.restart('webhook-delivery')
    expect(statusesOf(await untilStatus('ok'))).toEqual(allBut({}))
  })
})
