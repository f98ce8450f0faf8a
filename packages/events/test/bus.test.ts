import { afterEach, describe, expect, it } from '@jest/globals'
import { eventually, findFreePort, type Nats, startNats, testNats } from '@wp/testkit'
import { type Bus, type BusOptions, connectBus, ensureStream } from '../src/index.ts'
import { createRecordingLog } from './fixture/test-environment.ts'

const buses: Bus[] = []
let nats: Nats | undefined
const log = createRecordingLog()

afterEach(async () => {
  await Promise.all(buses.splice(0).map((bus) => bus.close()))
  await nats?.stop()
  nats = undefined
})

async function open(servers: string, shard: string, options: Partial<BusOptions> = {}): Promise<Bus> {
  const bus = await connectBus({ servers, shard, name: 'test', log, ...options })
  buses.push(bus)
  return bus
}

describe('the bus', () => {
  it('carries JSON to whoever listens, wildcards included, until they stop', async () => {
    const { url, shard } = testNats()
    const [one, other] = [await open(url, shard), await open(url, shard)]
    const heard: unknown[] = []
    const subscription = other.subscribe(`test.${shard}.*`, (data, subject) => heard.push([subject, data]))
    await eventually(() => {
      one.publish(`test.${shard}.a`, { n: 1 })
      return heard.length > 0
    })
    expect(heard[0]).toEqual([`test.${shard}.a`, { n: 1 }])
    subscription.unsubscribe()
    const before = heard.length
    const marks: unknown[] = []
    other.subscribe(`test.${shard}.mark`, (data) => marks.push(data))
    await eventually(() => {
      one.publish(`test.${shard}.mark`)
      return marks.length > 0
    })
    expect(marks[0]).toBeUndefined()
    expect(heard).toHaveLength(before)
  })

  it('wakes this process by call and the others by the broker, each once', async () => {
    const { url, shard } = testNats()
    const [one, other] = [await open(url, shard), await open(url, shard)]
    const woken = { one: 0, other: 0 }
    one.onWake('data', 'sync', () => {
      woken.one += 1
    })
    other.onWake('data', 'sync', () => {
      woken.other += 1
    })
    other.onWake('data', 'another', () => {
      woken.other += 100
    })
    let ready = false
    other.subscribe(`ready.${shard}`, () => {
      ready = true
    })
    await eventually(() => {
      one.publish(`ready.${shard}`)
      return ready
    })
    one.wake('data', 'sync')
    expect(woken.one).toBe(1)
    await eventually(() => woken.other === 1)
    expect(woken).toEqual({ one: 1, other: 1 })
  })

  it('starts and works within the process while the broker is away, and listens when it comes', async () => {
    const port = await findFreePort()
    const bus = await open(`127.0.0.1:${port}`, 'away')
    let arrivals = 0
    let woken = 0
    let heard = 0
    bus.onConnect(() => {
      arrivals += 1
    })
    bus.onWake('data', 'sync', () => {
      woken += 1
    })
    bus.subscribe('news', () => {
      heard += 1
    })
    bus.publish('news')
    bus.wake('data', 'sync')
    expect({ connected: bus.isConnected, woken, heard, arrivals }).toEqual({
      connected: false,
      woken: 1,
      heard: 0,
      arrivals: 0,
    })
    nats = await startNats({ port })
    await eventually(() => arrivals === 1)
    await eventually(() => {
      bus.publish('news')
      return heard > 0
    })
    await nats.kill()
    await eventually(() => !bus.isConnected)
    await nats.restart()
    await eventually(() => arrivals === 2)
    heard = 0
    await eventually(() => {
      bus.publish('news')
      return heard > 0
    })
  })

  it('closes within a second, whatever the broker does', async () => {
    nats = await startNats()
    const bus = await open(nats.url, 'closing')
    await nats.kill('SIGSTOP')
    const began = performance.now()
    await bus.close()
    await (await open(`127.0.0.1:${await findFreePort()}`, 'closing')).close()
    expect(performance.now() - began).toBeLessThan(2_000)
    await nats.kill('SIGCONT')
  })

  it('survives a listener that throws and a message that is not JSON', async () => {
    const { url, shard } = testNats()
    const bus = await open(url, shard)
    const heard: unknown[] = []
    bus.subscribe(`test.${shard}`, (data) => {
      heard.push(data)
      if (heard.length === 1) throw new Error('first')
    })
    await eventually(() => {
      bus.publish(`test.${shard}`, heard.length)
      return heard.length > 1
    })
    expect(log.messages).toContain('a message could not be taken')
  })
})

describe('the stream', () => {
  it('is made and changed by the migrator, which reads back what the broker made of it', async () => {
    const { url, shard } = testNats()
    const bus = await open(url, shard, { stream: { maxBytes: 2_000_000 } })
    expect((await ensureStream(bus)).config.max_bytes).toBe(2_000_000)
    const { created, config } = await ensureStream(bus, { maxBytes: 3_000_000, maxAgeDays: 1 })
    expect(config).toMatchObject({ max_bytes: 3_000_000, max_age: 86_400_000_000_000 })
    expect((await ensureStream(bus, { maxBytes: 3_000_000, maxAgeDays: 1 })).created).toBe(created)
    await expect(ensureStream(bus, { replicas: 7 })).rejects.toThrow()
  })
})
