import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Bus, connectBus } from '@wp/events'
import { eventually, type Nats, startNats, testNats } from '@wp/testkit'
import { hashOf, windowStart } from '../../src/limit/clock.ts'
import { createGossip, type Gossip } from '../../src/limit/gossip.ts'
import type { SharedRateLimiter } from '../../src/limit/rate-limiter.ts'

const log = { warn: () => undefined, error: () => undefined }
const key = 'akey_01h455vb4pex5vsknk084sn02q'

interface Edge {
  bus: Bus
  exchange: Gossip
  windows: SharedRateLimiter
  guesses: SharedRateLimiter
}

/** Edges on a real broker, at a time of the test's own; each exchange is a step of all. */
interface Group {
  edges: Edge[]
  clock: { now: number }
  /** An edge that has yet to join. @param intervalMs left out: steps are taken by `round` alone */
  listen(intervalMs?: number): Promise<Edge>
  join(intervalMs?: number): Promise<Edge>
  /** 50 ms pass, all tell what is new, and all have heard it. */
  round(): Promise<void>
  /** @returns how many of so many requests were admitted */
  ask(edge: Edge | undefined, times: number, quota: number, at?: string): number
  close(): Promise<void>
}

function groupOn(url: string, shard: string): Group {
  const clock = { now: windowStart(hashOf(key), 30_000_000) + 1000 }
  const edges: Edge[] = []
  const marks = new Map<Bus, Set<unknown>>()
  let round = 0

  /** What was published before the mark of each was heard before it. */
  async function allHeard(): Promise<void> {
    round += 1
    for (const seen of marks.values()) seen.clear()
    await eventually(
      () => {
        // one that was sent while somebody was still coming back is lost
        for (const [at, { bus }] of edges.entries()) bus.publish(`mark.${shard}`, `${round}/${at}`)
        return [...marks.values()].every((seen) => edges.every((_, at) => seen.has(`${round}/${at}`)))
      },
      { intervalMs: 5, description: 'everybody hearing everybody' },
    )
  }

  return {
    edges,
    clock,
    async listen(intervalMs) {
      const bus = await connectBus({ servers: url, name: 'edge', shard, log })
      const exchange = createGossip({ bus, shard, log, now: () => clock.now, ...(intervalMs && { intervalMs }) })
      const edge = {
        bus,
        exchange,
        windows: exchange.createLimiter('requests'),
        guesses: exchange.createLimiter('guesses', 100),
      }
      const seen = new Set<unknown>()
      bus.subscribe(`mark.${shard}`, (mark) => void seen.add(mark))
      marks.set(bus, seen)
      edges.push(edge)
      return edge
    },
    async join(intervalMs) {
      const edge = await this.listen(intervalMs)
      await edge.exchange.join()
      return edge
    },
    async round() {
      clock.now += 50
      for (const { exchange } of edges) exchange.publishUpdates()
      await allHeard()
    },
    ask(edge, times, quota, at = key) {
      const counts = Array.from(
        { length: times },
        () => edge?.windows.take([{ name: 'credential', key: at, quota }])[0],
      )
      return counts.filter((count) => count?.isExceeded === false).length
    },
    async close() {
      for (const { exchange } of edges) exchange.close()
      await Promise.all(edges.map(({ bus }) => bus.close()))
    },
  }
}

describe('three edges on one broker', () => {
  it.each([
    { split: 'unevenly', requests: [90, 9, 1] },
    { split: 'evenly', requests: [34, 33, 33] },
    { split: 'to one', requests: [0, 100, 0] },
  ])('admit together what one would, ten times overrun $split', async ({ requests }) => {
    const { url, shard } = testNats()
    const group = groupOn(url, shard)
    for (let at = 0; at < 3; at += 1) await group.join()
    await eventually(() => group.edges.every(({ exchange }) => exchange.peerCount === 2))
    const quota = 400
    let admitted = 0
    for (let round = 0; round < 40; round += 1) {
      for (const [at, times] of requests.entries()) admitted += group.ask(group.edges[at], times, quota)
      await group.round()
    }
    expect(admitted).toBeGreaterThanOrEqual(quota * 0.98)
    expect(admitted).toBeLessThanOrEqual(quota)
    await group.close()
  })

  it('tell a newcomer what they have counted, guesses included, and take over from one that leaves', async () => {
    const { url, shard } = testNats()
    const group = groupOn(url, shard)
    const [first, second] = [await group.join(), await group.join()]
    expect(group.ask(first, 100, 300) + group.ask(second, 20, 300)).toBe(120)
    const guess = (edge: Edge) => edge.guesses.take([{ name: 'address', key, quota: 100 }])[0]
    guess(first)
    await group.round()
    const third = await group.join()
    await group.round()
    expect(third.windows.take([{ name: 'credential', key, quota: 300 }])[0]).toMatchObject({
      remaining: 179,
      isExceeded: false,
    })
    expect(guess(third)).toMatchObject({ remaining: 98 })
    first.exchange.close()
    second.exchange.close()
    await eventually(() => third.exchange.peerCount === 0)
    await group.round()
    expect(group.ask(third, 500, 300)).toBe(179)
    await group.close()
  })

  it('let a newcomer that hears of a window begin when they have given it its part, however long they take', async () => {
    const { url, shard } = testNats()
    const group = groupOn(url, shard)
    const [first] = [await group.join(300), await group.join(300)]
    const newcomer = await group.listen(10)
    expect(group.ask(first, 1, 600)).toBe(1)
    await eventually(() => newcomer.exchange.peerCount > 0)
    await newcomer.exchange.join()
    expect(group.ask(newcomer, 1, 600)).toBe(1)
    await group.close()
  })

  it('say no more than has changed, in messages of a bounded size', async () => {
    const { url, shard } = testNats()
    const group = groupOn(url, shard)
    const [first, second] = [await group.join(), await group.join()]
    const heard: { bytes: number; keys: number }[] = []
    second.bus.subscribe(`limits.${shard}`, (data) => {
      const message: { kind?: string; told?: unknown[] } = Object(data)
      if (message.kind === 'counts') heard.push({ bytes: JSON.stringify(data).length, keys: message.told?.length ?? 0 })
    })
    await group.round()
    expect(heard).toEqual([])
    for (let at = 0; at < 3000; at += 1) group.ask(first, 1, 100, `akey_${at}`)
    await group.round()
    await group.round()
    expect(heard.reduce((sum, { keys }) => sum + keys, 0)).toBeGreaterThan(2950)
    expect(Math.max(...heard.map(({ bytes }) => bytes))).toBeLessThan(64_000)
    heard.length = 0
    await group.round()
    await group.round()
    expect(heard).toEqual([])
    await group.close()
  })
})

describe('a broker that stops', () => {
  let nats: Nats
  beforeAll(async () => {
    nats = await startNats()
  })
  afterAll(() => nats.stop())

  it('leaves each its part, and finds the counts one when it is back', async () => {
    const group = groupOn(nats.url, 'alone')
    for (let at = 0; at < 3; at += 1) await group.join()
    await eventually(() => group.edges.every(({ exchange }) => exchange.peerCount === 2))
    const [first, second] = group.edges
    await nats.kill()
    await eventually(() => group.edges.every(({ bus }) => !bus.isConnected))
    for (const { exchange } of group.edges) for (let beat = 0; beat < 10; beat += 1) exchange.publishHeartbeat()
    expect(group.edges.map(({ exchange }) => exchange.peerCount)).toEqual([2, 2, 2])
    expect([group.ask(first, 500, 300), group.ask(second, 10, 300)]).toEqual([100, 10])
    for (const { exchange } of group.edges) exchange.publishUpdates()
    await nats.restart()
    await eventually(() => group.edges.every(({ bus }) => bus.isConnected), { timeoutMs: 10_000 })
    let admitted = 110
    for (let round = 0; round < 10; round += 1) {
      admitted += group.ask(first, 100, 300)
      await group.round()
    }
    expect(admitted).toBe(300)
    await group.close()
  })
})
