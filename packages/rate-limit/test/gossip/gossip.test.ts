import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Bus, connectBus } from '@wp/events'
import { eventually, type Nats, startNats, testNats } from '@wp/testkit'
import { createGossip, type Gossip } from '../../src/gossip/gossip.ts'
import type { SharedRateLimiter } from '../../src/rate-limiter.ts'
import { hashOf, windowStart } from '../../src/window.ts'

const log = { warn: () => undefined, error: () => undefined }
const key = 'akey_01h455vb4pex5vsknk084sn02q'

interface Edge {
  bus: Bus
  gossip: Gossip
  requests: SharedRateLimiter
  guesses: SharedRateLimiter
}

/** Edges on a real broker with the clock of the test; without timers they publish only in `round`. */
interface Group {
  edges: Edge[]
  clock: { now: number }
  /** Creates an edge that has not joined yet. @param intervalMs without it, only `round` publishes */
  create(intervalMs?: number): Promise<Edge>
  join(intervalMs?: number): Promise<Edge>
  /** Advances 50 ms, publishes the updates of every edge and waits until all have been delivered. */
  round(): Promise<void>
  /** Sends requests to one edge. @returns how many were admitted */
  send(edge: Edge | undefined, times: number, quota: number, requestKey?: string): number
  close(): Promise<void>
}

function createGroup(url: string, shard: string): Group {
  const clock = { now: windowStart(hashOf(key), 30_000_000) + 1000 }
  const edges: Edge[] = []
  const markersSeen = new Map<Bus, Set<unknown>>()
  let round = 0

  /** Waits until every edge has received the marker of every edge: what was published before it has been delivered. */
  async function waitForDelivery(): Promise<void> {
    round += 1
    for (const seen of markersSeen.values()) seen.clear()
    await eventually(
      () => {
        // published again each time: a marker sent while an edge was reconnecting is lost
        for (const [index, { bus }] of edges.entries()) bus.publish(`mark.${shard}`, `${round}/${index}`)
        return [...markersSeen.values()].every((seen) => edges.every((_, index) => seen.has(`${round}/${index}`)))
      },
      { intervalMs: 5, description: 'every marker at every edge' },
    )
  }

  return {
    edges,
    clock,
    async create(intervalMs) {
      const bus = await connectBus({ servers: url, name: 'edge', shard, log })
      await eventually(() => bus.isConnected)
      const gossip = createGossip({
        bus,
        shard,
        log,
        now: () => clock.now,
        syncTimeoutMs: 30_000,
        ...(intervalMs && { intervalMs }),
      })
      const edge = {
        bus,
        gossip,
        requests: gossip.createLimiter('requests'),
        guesses: gossip.createLimiter('guesses', 100),
      }
      const seen = new Set<unknown>()
      bus.subscribe(`mark.${shard}`, (mark) => void seen.add(mark))
      markersSeen.set(bus, seen)
      edges.push(edge)
      return edge
    },
    async join(intervalMs) {
      const edge = await this.create(intervalMs)
      await edge.gossip.join()
      return edge
    },
    async round() {
      clock.now += 50
      for (const { gossip } of edges) gossip.publishUpdates()
      await waitForDelivery()
    },
    send(edge, times, quota, requestKey = key) {
      const statuses = Array.from(
        { length: times },
        () => edge?.requests.take([{ name: 'credential', key: requestKey, quota }])[0],
      )
      return statuses.filter((status) => status?.isExceeded === false).length
    },
    async close() {
      for (const { gossip } of edges) gossip.close()
      await Promise.all(edges.map(({ bus }) => bus.close()))
    },
  }
}

describe('three edges on one broker', () => {
  it.each([
    { split: 'unevenly', requests: [90, 9, 1] },
    { split: 'evenly', requests: [34, 33, 33] },
    { split: 'to one', requests: [0, 100, 0] },
  ])('admit together what a single edge would, overloaded tenfold and split $split', async ({ requests }) => {
    const { url, shard } = testNats()
    const group = createGroup(url, shard)
    for (let count = 0; count < 3; count += 1) await group.join()
    await eventually(() => group.edges.every(({ gossip }) => gossip.peerCount === 2))
    const quota = 400
    let admitted = 0
    for (let round = 0; round < 40; round += 1) {
      for (const [index, times] of requests.entries()) admitted += group.send(group.edges[index], times, quota)
      await group.round()
    }
    expect(admitted).toBeGreaterThanOrEqual(quota * 0.98)
    expect(admitted).toBeLessThanOrEqual(quota)
    await group.close()
  })

  it('share their counts, of every limiter, with an edge that joins, and inherit from edges that leave', async () => {
    const { url, shard } = testNats()
    const group = createGroup(url, shard)
    const [first, second] = [await group.join(), await group.join()]
    expect(group.send(first, 100, 300) + group.send(second, 20, 300)).toBe(120)
    const guess = (edge: Edge) => edge.guesses.take([{ name: 'address', key, quota: 100 }])[0]
    guess(first)
    await group.round()
    const third = await group.join()
    await group.round()
    expect(third.requests.take([{ name: 'credential', key, quota: 300 }])[0]).toMatchObject({
      remaining: 179,
      isExceeded: false,
    })
    expect(guess(third)).toMatchObject({ remaining: 98 })
    first.gossip.close()
    second.gossip.close()
    await eventually(() => third.gossip.peerCount === 0)
    await group.round()
    expect(group.send(third, 500, 300)).toBe(179)
    await group.close()
  })

  it('give an edge its quota of an open window before its join resolves', async () => {
    const { url, shard } = testNats()
    const group = createGroup(url, shard)
    const [first, second] = [await group.join(300), await group.join(300)]
    const remainingAt = (edge: Edge) => edge.requests.check([{ name: 'credential', key, quota: 600 }])[0]?.remaining
    expect(group.send(first, 1, 600)).toBe(1)
    await eventually(() => remainingAt(second) === 599)
    const joining = await group.create(10)
    await eventually(() => joining.gossip.peerCount === 2)
    await joining.gossip.join()
    expect(group.send(joining, 1, 600)).toBe(1)
    await group.close()
  })

  it('publish only changes, in messages of a bounded size', async () => {
    const { url, shard } = testNats()
    const group = createGroup(url, shard)
    const [first, second] = [await group.join(), await group.join()]
    const received: { bytes: number; keys: number }[] = []
    second.bus.subscribe(`limits.${shard}`, (data) => {
      const message: { kind?: string; told?: unknown[] } = Object(data)
      if (message.kind === 'counts')
        received.push({ bytes: JSON.stringify(data).length, keys: message.told?.length ?? 0 })
    })
    await group.round()
    expect(received).toEqual([])
    for (let index = 0; index < 3000; index += 1) group.send(first, 1, 100, `akey_${index}`)
    await group.round()
    await group.round()
    expect(received.reduce((sum, { keys }) => sum + keys, 0)).toBeGreaterThan(2950)
    expect(Math.max(...received.map(({ bytes }) => bytes))).toBeLessThan(64_000)
    received.length = 0
    await group.round()
    await group.round()
    expect(received).toEqual([])
    await group.close()
  })
})

describe('edges whose broker stops', () => {
  let nats: Nats
  beforeAll(async () => {
    nats = await startNats()
  })
  afterAll(() => nats.stop())

  it('admit their parts, and share their counts again when it is back', async () => {
    const group = createGroup(nats.url, 'alone')
    for (let count = 0; count < 3; count += 1) await group.join()
    await eventually(() => group.edges.every(({ gossip }) => gossip.peerCount === 2))
    const [first, second] = group.edges
    await nats.kill()
    await eventually(() => group.edges.every(({ bus }) => !bus.isConnected))
    for (const { gossip } of group.edges) for (let count = 0; count < 10; count += 1) gossip.publishHeartbeat()
    expect(group.edges.map(({ gossip }) => gossip.peerCount)).toEqual([2, 2, 2])
    expect([group.send(first, 500, 300), group.send(second, 10, 300)]).toEqual([100, 10])
    for (const { gossip } of group.edges) gossip.publishUpdates()
    await nats.restart()
    await eventually(() => group.edges.every(({ bus }) => bus.isConnected))
    let admitted = 110
    for (let round = 0; round < 10; round += 1) {
      admitted += group.send(first, 100, 300)
      await group.round()
    }
    expect(admitted).toBe(300)
    await group.close()
  })
})
