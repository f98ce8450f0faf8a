import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { hashOf, windowAt, windowStart } from '../src/window.ts'
import { createSimulation, type Simulation } from './simulation.ts'

const key = 'akey_01h455vb4pex5vsknk084sn02q'
/** Start of a window of the key. */
const startMs = windowStart(hashOf(key), windowAt(hashOf(key), 1_800_000_000_000))

/** Creates a reproducible pseudo-random generator (a linear congruential generator). */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

interface Settings {
  quota: number
  edges: number
  skews?: readonly number[]
  maxDelayMs?: number
  loss?: number
  seed?: number
}

function simulate({ quota, edges, skews = [], maxDelayMs = 20, loss = 0, seed = 1 }: Settings): Simulation {
  const random = createRandom(seed)
  const simulation = createSimulation({
    key,
    quota,
    startAt: startMs - 500,
    nextEdgeId: () => `edge_${random()}`,
    delayMs: () => random() * maxDelayMs,
    isLost: () => random() < loss,
  })
  for (let index = 0; index < edges; index += 1) simulation.addEdge({ skewMs: skews[index] ?? 0 })
  // they find each other, and are well within the window
  simulation.advance(1000)
  return simulation
}

/** Returns a function that sends the requests of one tick, spread over the edges at random by weight. */
function createLoad(simulation: Simulation, perSecond: number, weights: readonly number[], seed = 7): () => void {
  const random = createRandom(seed)
  const sum = weights.reduce((total, weight) => total + weight, 0)
  let due = 0
  return () => {
    due += perSecond / 100
    for (; due >= 1; due -= 1) {
      const drawn = random() * sum
      const upTo = (index: number) => weights.slice(0, index + 1).reduce((total, weight) => total + weight, 0)
      simulation.edges[weights.findIndex((_, index) => drawn < upTo(index))]?.request()
    }
  }
}

const anySplit = fc
  .array(fc.oneof(fc.nat(3), fc.integer({ min: 1, max: 100 })), { minLength: 2, maxLength: 5 })
  .filter((weights) => weights.some((weight) => weight > 0))
const anyNetwork = fc.record({ maxDelayMs: fc.integer({ min: 1, max: 200 }), seed: fc.nat() })

describe('several edges', () => {
  it('never admit more than the quota, whatever is delayed, lost or overloaded', () =>
    fc.assert(
      fc.property(
        anySplit,
        anyNetwork,
        fc.integer({ min: 1, max: 800 }),
        fc.double({ min: 0, max: 0.9, noNaN: true }),
        fc.integer({ min: 1, max: 200 }),
        (weights, { maxDelayMs, seed }, quota, loss, overload) => {
          const simulation = simulate({ quota, edges: weights.length, maxDelayMs, loss, seed })
          simulation.advance(3000, createLoad(simulation, (quota * overload) / 60, weights, seed))
          expect(simulation.admitted()).toBeLessThanOrEqual(quota)
        },
      ),
      { numRuns: 25 },
    ))

  it('admit the whole quota when nothing is lost, however the requests are split', () =>
    fc.assert(
      fc.property(anySplit, anyNetwork, fc.integer({ min: 1, max: 800 }), (weights, { maxDelayMs, seed }, quota) => {
        const simulation = simulate({ quota, edges: weights.length, maxDelayMs, seed })
        simulation.advance(12_000, createLoad(simulation, Math.max(2, quota / 6), weights, seed))
        expect(simulation.admitted()).toBe(quota)
      }),
      { numRuns: 15 },
    ))

  it('reject no request while the total stays below the quota', () =>
    fc.assert(
      fc.property(anySplit, anyNetwork, fc.integer({ min: 300, max: 3000 }), (weights, { maxDelayMs, seed }, quota) => {
        const simulation = simulate({ quota, edges: weights.length, maxDelayMs, seed })
        simulation.advance(57_000, createLoad(simulation, (quota * 0.8) / 57, weights, seed))
        expect(simulation.edges.map(({ rejected }) => rejected)).toEqual(weights.map(() => 0))
      }),
      { numRuns: 6 },
    ))

  it('move a single unit to the edge that receives the request', () => {
    for (const busy of [0, 1, 2]) {
      const simulation = simulate({ quota: 1, edges: 3 })
      simulation.advance(500, () => simulation.edges[busy]?.request())
      expect(simulation.admitted()).toBe(1)
    }
  })

  it('transfer the quota when the requests move from one edge to another', () => {
    const simulation = simulate({ quota: 3000, edges: 3 })
    const [first, second, third] = [
      createLoad(simulation, 60, [1, 0, 0]),
      createLoad(simulation, 60, [0, 1, 0]),
      createLoad(simulation, 60, [0, 0, 1]),
    ]
    simulation.advance(45_000, (elapsed) => (elapsed <= 15_000 ? first() : elapsed <= 30_000 ? second() : third()))
    expect(simulation.admitted()).toBeGreaterThan(2690)
    expect(simulation.edges.map(({ rejected }) => rejected)).toEqual([0, 0, 0])
  })

  it('report what remains at all edges together', () => {
    const simulation = simulate({ quota: 600, edges: 3 })
    for (const edge of simulation.edges) edge.request(10)
    simulation.advance(200)
    const remaining = simulation.edges.map(
      (edge) => edge.limiter.take([{ name: 'credential', key, quota: 600 }])[0]?.remaining,
    )
    expect(remaining).toEqual([569, 569, 569])
  })

  it('ask for a retry after a second while peers have quota left, and after the window otherwise', () => {
    const simulation = simulate({ quota: 30, edges: 3 })
    const [edge] = simulation.edges
    edge?.request(10)
    const ask = () => edge?.limiter.take([{ name: 'credential', key, quota: 30 }])[0]
    expect(ask()).toMatchObject({ isExceeded: true, remaining: 0, retrySeconds: 1 })
    simulation.advance(200, () => edge?.request())
    simulation.advance(200, () => edge?.request())
    expect(simulation.admitted()).toBe(30)
    expect(ask()).toMatchObject({ isExceeded: true, retrySeconds: 60 })
  })

  it('follow a quota that changes during the window', () => {
    const simulation = simulate({ quota: 300, edges: 3 })
    simulation.advance(2000, createLoad(simulation, 300, [1, 1, 1]))
    expect(simulation.admitted()).toBe(300)
    const ask = (quota: number) =>
      simulation.edges
        .flatMap(({ limiter }) => limiter.take([{ name: 'credential', key, quota }]))
        .filter(({ isExceeded }) => !isExceeded)
    let more = 0
    simulation.advance(3000, () => {
      more += ask(900).length
    })
    expect(more).toBe(600)
    expect(ask(300)).toEqual([])
  })
})

describe('edges whose clocks differ by half a minute', () => {
  it.each([{ skews: [0, 30_000] }, { skews: [0, 30_000, -30_000] }, { skews: [0, 0, 30_000] }])(
    'share the same windows: $skews',
    ({ skews }) => {
      const quota = 300
      const simulation = simulate({ quota, edges: skews.length, skews })
      const counts: number[] = []
      for (let half = 0; half < 8; half += 1) {
        const before = simulation.admitted()
        simulation.advance(30_000, createLoad(simulation, 30, [90, 9, 1].slice(0, skews.length), half))
        counts.push(simulation.admitted() - before)
      }
      // four minutes touch five windows; any minute admits at most two windows' quota, as with a single edge
      expect(simulation.admitted()).toBeGreaterThanOrEqual(4 * quota)
      expect(simulation.admitted()).toBeLessThanOrEqual(5 * quota)
      for (const [half, count] of counts.entries())
        expect(count + (counts[half + 1] ?? 0)).toBeLessThanOrEqual(2 * quota)
      // and no minute without an admitted request
      for (const [half, count] of counts.entries()) expect(count + (counts[half + 1] ?? quota)).toBeGreaterThan(0)
    },
  )
})

describe('an edge', () => {
  it('admits at once when it joins during a window, and all edges admit no more than the quota', () => {
    const simulation = simulate({ quota: 600, edges: 2 })
    simulation.advance(1000, createLoad(simulation, 100, [1, 1]))
    const third = simulation.addEdge()
    simulation.advance(100)
    third.request()
    expect(third.admitted).toBe(1)
    simulation.advance(12_000, createLoad(simulation, 100, [0, 0, 1]))
    expect(simulation.admitted()).toBe(600)
  })

  it('passes its remaining quota on when it leaves', () => {
    const simulation = simulate({ quota: 600, edges: 3 })
    simulation.advance(1000, createLoad(simulation, 60, [1, 1, 1]))
    simulation.edges[2]?.leave()
    simulation.advance(100)
    expect(simulation.edges.slice(0, 2).map((edge) => edge.peerCount())).toEqual([1, 1])
    simulation.advance(10_000, createLoad(simulation, 100, [1, 0]))
    expect(simulation.admitted()).toBe(600)
  })

  it('inherits from the last initial member when it joined late', () => {
    const simulation = simulate({ quota: 600, edges: 2 })
    simulation.advance(1000, createLoad(simulation, 60, [1, 1]))
    const third = simulation.addEdge()
    simulation.advance(200)
    for (const edge of simulation.edges.slice(0, 2)) edge.leave()
    simulation.advance(10_000, () => third.request(1))
    expect(simulation.admitted()).toBe(600)
  })

  it('is replaced by its peers when it has been silent for some seconds', () => {
    const simulation = simulate({ quota: 600, edges: 3 })
    simulation.advance(1000, createLoad(simulation, 60, [1, 1, 1]))
    simulation.edges[2]?.crash()
    simulation.advance(6000)
    expect(simulation.edges.slice(0, 2).map((edge) => edge.peerCount())).toEqual([1, 1])
    simulation.advance(10_000, createLoad(simulation, 100, [1, 0]))
    // what it admitted after its last message is unknown
    expect(simulation.admitted()).toBeGreaterThanOrEqual(600)
    expect(simulation.admitted()).toBeLessThanOrEqual(606)
  })

  it('keeps the error small when it joins while another crashes and a third leaves', () =>
    fc.assert(
      fc.property(
        fc.nat(),
        fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 3, maxLength: 3 }),
        (seed, moments) => {
          const simulation = simulate({ quota: 900, edges: 3, seed })
          const [joinsAt = 0, leavesAt = 0, crashesAt = 0] = moments
          const requests = createLoad(simulation, 90, [3, 2, 1, 2], seed)
          for (let moment = 0; moment <= 40; moment += 1) {
            if (moment === joinsAt) simulation.addEdge()
            if (moment === leavesAt) simulation.edges[0]?.leave()
            if (moment === crashesAt) simulation.edges[1]?.crash()
            simulation.advance(500, requests)
          }
          simulation.advance(10_000, () => simulation.edges.slice(2).forEach((edge) => void edge.request(2)))
          // the new edge admits before it knows its peers, which a real one does only without the broker
          expect(simulation.admitted()).toBeGreaterThanOrEqual(900 * 0.9)
          expect(simulation.admitted()).toBeLessThanOrEqual(900 * 1.1)
        },
      ),
      { numRuns: 6, examples: [[2, [0, 0, 0]]] },
    ))
})

describe('without the broker', () => {
  it('each edge admits its part of the quota, in this window and the next, and all no more than the quota', () => {
    const simulation = simulate({ quota: 600, edges: 3 })
    for (const edge of simulation.edges) edge.disconnect()
    simulation.advance(58_000, createLoad(simulation, 60, [1, 1, 1]))
    expect(simulation.admitted()).toBe(600)
    simulation.advance(59_000, createLoad(simulation, 60, [1, 0, 0]))
    expect(simulation.admitted()).toBe(800)
  })

  it('edges share their counts again after they reconnect', () => {
    const simulation = simulate({ quota: 600, edges: 3 })
    for (const edge of simulation.edges) edge.disconnect()
    simulation.advance(10_000, createLoad(simulation, 30, [1, 0, 0]))
    expect(simulation.admitted()).toBe(200)
    for (const edge of simulation.edges) edge.reconnect()
    simulation.advance(10_000, createLoad(simulation, 100, [1, 0, 0]))
    expect(simulation.admitted()).toBe(600)
    expect(simulation.edges.map((edge) => edge.peerCount())).toEqual([2, 2, 2])
  })

  it('an edge publishes what it spent after it reconnects, even without further requests', () => {
    const simulation = simulate({ quota: 600, edges: 3 })
    const remaining = () =>
      simulation.edges.map((edge) => edge.limiter.take([{ name: 'credential', key, quota: 600 }])[0]?.remaining)
    for (const edge of simulation.edges) edge.disconnect()
    simulation.edges[0]?.request(50)
    simulation.advance(500)
    for (const edge of simulation.edges) edge.reconnect()
    simulation.advance(200)
    expect(remaining()).toEqual([549, 549, 549])
  })

  it('edges share their counts again after the broker stalled without a disconnect', () => {
    const simulation = simulate({ quota: 600, edges: 3 })
    for (const edge of simulation.edges) edge.setStalled(true)
    simulation.edges[0]?.request(50)
    simulation.advance(8000)
    expect(simulation.edges.map((edge) => edge.peerCount())).toEqual([2, 2, 2])
    for (const edge of simulation.edges) edge.setStalled(false)
    simulation.advance(2500)
    expect(simulation.edges[1]?.limiter.take([{ name: 'credential', key, quota: 600 }])[0]?.remaining).toBe(549)
  })

  it('an edge keeps its quota when a transfer could not be delivered', () => {
    const simulation = simulate({ quota: 900, edges: 3 })
    const [busy, other] = simulation.edges
    busy?.request(300)
    simulation.advance(100, () => other?.limiter.hasQueuedUpdates && other.disconnect())
    simulation.advance(500)
    other?.request(300)
    expect(other?.admitted).toBe(300)
  })

  it('an edge that starts alone counts by itself until it finds the others', () => {
    const simulation = simulate({ quota: 600, edges: 2 })
    const alone = simulation.addEdge()
    alone.disconnect()
    simulation.advance(1000)
    alone.request(50)
    expect(alone.admitted).toBe(50)
    alone.reconnect()
    simulation.advance(200)
    simulation.advance(15_000, createLoad(simulation, 100, [1, 1, 1]))
    expect(simulation.admitted()).toBeGreaterThanOrEqual(600)
    expect(simulation.admitted()).toBeLessThanOrEqual(660)
  })
})
