import { afterEach, describe, expect, it } from '@jest/globals'
import { createRecordingLog, eventually, findFreePort, type Nats, startNats, testNats } from '@wp/testkit'
import { type Bus, type BusOptions, connectBus, findOrCreateStream } from '../src/index.ts'

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
  it('delivers JSON messages to subscribers, including wildcard subscriptions, until they unsubscribe', async () => {
    const { url, shard } = testNats()
    const [one, other] = [await open(url, shard), await open(url, shard)]
    const received: unknown[] = []
    const subscription = other.subscribe(`test.${shard}.*`, (data, subject) => received.push([subject, data]))
    await eventually(() => {
      one.publish(`test.${shard}.a`, { n: 1 })
      return received.length > 0
    })
    expect(received[0]).toEqual([`test.${shard}.a`, { n: 1 }])
    subscription.unsubscribe()
    const before = received.length
    const marks: unknown[] = []
    other.subscribe(`test.${shard}.mark`, (data) => marks.push(data))
    await eventually(() => {
      one.publish(`test.${shard}.mark`)
      return marks.length > 0
    })
    expect(marks[0]).toBeUndefined()
    expect(received).toHaveLength(before)
  })

  it('wakes listeners of this process by a call and those of other processes through the broker, once each', async () => {
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
      woken.other += 1000
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
    // Others learn of many wakes by one message, or by two if the first is not recent.
    for (let count = 0; count < 100; count += 1) one.wake('data', 'sync')
    expect(woken.one).toBe(101)
    await eventually(() => woken.other >= 2)
    one.wake('data', 'another')
    await eventually(() => woken.other >= 1000)
    expect(woken.other).toBeLessThanOrEqual(1003)
  })

  it('wakes listeners of this process while the broker is unavailable and subscribes once it is available', async () => {
    const port = await findFreePort()
    const bus = await open(`127.0.0.1:${port}`, 'unavailable')
    let connections = 0
    let woken = 0
    let received = 0
    bus.onConnect(() => {
      connections += 1
    })
    bus.onWake('data', 'sync', () => {
      woken += 1
    })
    bus.subscribe('news', () => {
      received += 1
    })
    bus.publish('news')
    bus.wake('data', 'sync')
    expect({ connected: bus.isConnected, woken, received, connections }).toEqual({
      connected: false,
      woken: 1,
      received: 0,
      connections: 0,
    })
    nats = await startNats({ port })
    await eventually(() => connections === 1)
    await eventually(() => {
      bus.publish('news')
      return received > 0
    })
    await nats.kill()
    await eventually(() => !bus.isConnected)
    await nats.restart()
    await eventually(() => connections === 2)
    received = 0
    await eventually(() => {
      bus.publish('news')
      return received > 0
    })
  })

  it('closes without waiting for a broker that does not respond', async () => {
    nats = await startNats()
    const [bus, observer] = [await open(nats.url, 'closing'), await open(nats.url, 'closing')]
    await nats.kill('SIGSTOP')
    // The library itself detects an unresponsive broker only after two missed pings.
    const lost = new Promise<string>((resolve) => observer.onDisconnect(() => resolve('connection lost')))
    expect(await Promise.race([bus.close().then(() => 'closed'), lost])).toBe('closed')
    await nats.kill('SIGCONT')
  })

  it('closes while the broker is unreachable', async () => {
    const bus = await open(`127.0.0.1:${await findFreePort()}`, 'closing')
    await bus.close()
    expect(bus.isConnected).toBe(false)
  })

  it('keeps a subscription whose handler throws', async () => {
    const { url, shard } = testNats()
    const bus = await open(url, shard)
    const received: unknown[] = []
    bus.subscribe(`test.${shard}`, (data) => {
      received.push(data)
      if (received.length === 1) throw new Error('first')
    })
    await eventually(() => {
      bus.publish(`test.${shard}`, received.length)
      return received.length > 1
    })
    expect(log.entries).toContainEqual(expect.objectContaining({ event: 'subscription.handler_failed' }))
  })
})

describe('a subscription', () => {
  it('ignores stored messages that a JetStream user redirects to its subject', async () => {
    const { url, shard } = testNats()
    const bus = await open(url, shard)
    await findOrCreateStream(bus)
    const forged = `events.${shard}.data.FORGED.ws_1`
    const { client, manager } = bus.jetstream.broker()
    await client.publish(forged, JSON.stringify({ forged: true }))
    const victim = `wake.${shard}.audit.outbox`
    const received: unknown[] = []
    bus.subscribe(victim, (data) => received.push(data))
    bus.subscribe(`wake.${shard}.>`, (data) => received.push(data))
    const stream = `EVENTS_${shard}`
    const durable = { durable_name: 'data_push', filter_subject: forged, ack_policy: 'none' as const }
    await manager.consumers.add(stream, { ...durable, deliver_subject: victim })
    const ignored = () => log.entries.filter(({ event }) => event === 'subscription.redirected_message')
    await eventually(() => ignored().length === 2)
    expect(ignored()).toContainEqual(expect.objectContaining({ subject: forged, subscribed: victim }))
    bus.publish(victim, 'genuine')
    await eventually(() => received.length === 2)
    expect(received).toEqual(['genuine', 'genuine'])
  })
})

describe('the stream', () => {
  it('is created with the settings of the bus, and keeps its limits when a bus has others', async () => {
    const { url, shard } = testNats()
    const bus = await open(url, shard, { stream: { maxBytes: 3_000_000 } })
    const { created, config } = await findOrCreateStream(bus)
    expect(config).toMatchObject({ max_bytes: 3_000_000, max_age: 7 * 86_400_000_000_000 })
    const other = await open(url, shard, { stream: { maxBytes: 2_000_000 } })
    expect(await findOrCreateStream(other)).toMatchObject({ created, config: { max_bytes: 3_000_000 } })
  })
})
