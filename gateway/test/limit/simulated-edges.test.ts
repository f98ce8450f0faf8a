import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { hashOf, windowAt, windowStart } from '../../src/limit/clock.ts'
import { createWorld, type World } from './simulation.ts'

const key = 'akey_01h455vb4pex5vsknk084sn02q'
/** A moment at which a window of the key begins. */
const beginning = windowStart(hashOf(key), windowAt(hashOf(key), 1_800_000_000_000))

/** Numbers that look random and are the same each time. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

interface Setting {
  quota: number
  edges: number
  skews?: readonly number[]
  slowestMs?: number
  loss?: number
  seed?: number
}

function worldOf({ quota, edges, skews = [], slowestMs = 20, loss = 0, seed = 1 }: Setting): World {
  const random = randomFrom(seed)
  const world = createWorld({
    key,
    quota,
    startAt: beginning - 500,
    delayMs: () => random() * slowestMs,
    isLost: () => random() < loss,
  })
  for (let at = 0; at < edges; at += 1) world.addEdge({ skewMs: skews[at] ?? 0 })
  // they come together, and are well within the window
  world.pass(1000)
  return world
}

/** Sends requests at so many a second, split by weight, with whole requests drawn at random. */
function load(world: World, perSecond: number, weights: readonly number[], seed = 7): () => void {
  const random = randomFrom(seed)
  const sum = weights.reduce((total, weight) => total + weight, 0)
  let owed = 0
  return () => {
    owed += perSecond / 100
    for (; owed >= 1; owed -= 1) {
      const drawn = random() * sum
      const upTo = (at: number) => weights.slice(0, at + 1).reduce((total, weight) => total + weight, 0)
      world.edges[weights.findIndex((_, at) => drawn < upTo(at))]?.request()
    }
  }
}

const split = fc
  .array(fc.oneof(fc.nat(3), fc.integer({ min: 1, max: 100 })), { minLength: 2, maxLength: 5 })
  .filter((weights) => weights.some((weight) => weight > 0))
const network = fc.record({ slowestMs: fc.integer({ min: 1, max: 200 }), seed: fc.nat() })

describe('several edges', () => {
  it('never admit more than the quota, whatever is slow or lost, and whoever is overrun', () =>
    fc.assert(
      fc.property(
        split,
        network,
        fc.integer({ min: 1, max: 800 }),
        fc.double({ min: 0, max: 0.9, noNaN: true }),
        fc.integer({ min: 1, max: 200 }),
        (weights, { slowestMs, seed }, quota, loss, overload) => {
          const world = worldOf({ quota, edges: weights.length, slowestMs, loss, seed })
          world.pass(3000, load(world, (quota * overload) / 60, weights, seed))
          expect(world.admitted()).toBeLessThanOrEqual(quota)
        },
      ),
      { numRuns: 25 },
    ))

  it('admit all of it where nothing is lost, however the requests are split', () =>
    fc.assert(
      fc.property(split, network, fc.integer({ min: 1, max: 800 }), (weights, { slowestMs, seed }, quota) => {
        const world = worldOf({ quota, edges: weights.length, slowestMs, seed })
        world.pass(12_000, load(world, Math.max(2, quota / 6), weights, seed))
        expect(world.admitted()).toBe(quota)
      }),
      { numRuns: 15 },
    ))

  it('hold nobody back who stays below it', () =>
    fc.assert(
      fc.property(split, network, fc.integer({ min: 300, max: 3000 }), (weights, { slowestMs, seed }, quota) => {
        const world = worldOf({ quota, edges: weights.length, slowestMs, seed })
        world.pass(57_000, load(world, (quota * 0.8) / 57, weights, seed))
        expect(world.edges.map(({ refused }) => refused)).toEqual(weights.map(() => 0))
      }),
      { numRuns: 6 },
    ))

  it('bring the only unit to whoever is asked', () => {
    for (const asked of [0, 1, 2]) {
      const world = worldOf({ quota: 1, edges: 3 })
      world.pass(500, () => world.edges[asked]?.request())
      expect(world.admitted()).toBe(1)
    }
  })

  it('follow requests that move from one to another', () => {
    const world = worldOf({ quota: 3000, edges: 3 })
    const [first, second, third] = [load(world, 60, [1, 0, 0]), load(world, 60, [0, 1, 0]), load(world, 60, [0, 0, 1])]
    world.pass(45_000, (elapsed) => (elapsed <= 15_000 ? first() : elapsed <= 30_000 ? second() : third()))
    expect(world.admitted()).toBeGreaterThan(2690)
    expect(world.edges.map(({ refused }) => refused)).toEqual([0, 0, 0])
  })

  it('tell what remains at all of them', () => {
    const world = worldOf({ quota: 600, edges: 3 })
    for (const edge of world.edges) edge.request(10)
    world.pass(200)
    const remaining = world.edges.map(
      (edge) => edge.windows.take([{ name: 'credential', key, quota: 600 }])[0]?.remaining,
    )
    expect(remaining).toEqual([569, 569, 569])
  })

  it('refuse for a second where others may have something left, and until the window ends where nobody has', () => {
    const world = worldOf({ quota: 30, edges: 3 })
    const [edge] = world.edges
    edge?.request(10)
    const ask = () => edge?.windows.take([{ name: 'credential', key, quota: 30 }])[0]
    expect(ask()).toMatchObject({ isExceeded: true, remaining: 0, retrySeconds: 1 })
    world.pass(200, () => edge?.request())
    world.pass(200, () => edge?.request())
    expect(world.admitted()).toBe(30)
    expect(ask()).toMatchObject({ isExceeded: true, retrySeconds: 60 })
  })

  it('follow a quota that is changed in mid-window', () => {
    const world = worldOf({ quota: 300, edges: 3 })
    world.pass(2000, load(world, 300, [1, 1, 1]))
    expect(world.admitted()).toBe(300)
    const ask = (quota: number) =>
      world.edges
        .flatMap(({ windows }) => windows.take([{ name: 'credential', key, quota }]))
        .filter(({ isExceeded }) => !isExceeded)
    let more = 0
    world.pass(3000, () => {
      more += ask(900).length
    })
    expect(more).toBe(600)
    expect(ask(300)).toEqual([])
  })
})

describe('windows of edges whose clocks differ by half a minute', () => {
  it.each([{ skews: [0, 30_000] }, { skews: [0, 30_000, -30_000] }, { skews: [0, 0, 30_000] }])(
    'are the same: $skews',
    ({ skews }) => {
      const quota = 300
      const world = worldOf({ quota, edges: skews.length, skews })
      const counts: number[] = []
      for (let half = 0; half < 8; half += 1) {
        const before = world.admitted()
        world.pass(30_000, load(world, 30, [90, 9, 1].slice(0, skews.length), half))
        counts.push(world.admitted() - before)
      }
      // four minutes touch five windows; what is admitted in any minute is two windows' at most, as with one edge
      expect(world.admitted()).toBeGreaterThanOrEqual(4 * quota)
      expect(world.admitted()).toBeLessThanOrEqual(5 * quota)
      for (const [at, count] of counts.entries()) expect(count + (counts[at + 1] ?? 0)).toBeLessThanOrEqual(2 * quota)
      // and never a minute in which nothing is
      for (const [at, count] of counts.entries()) expect(count + (counts[at + 1] ?? quota)).toBeGreaterThan(0)
    },
  )
})

describe('an edge that', () => {
  it('comes in mid-window admits at once, and all together no more than the quota', () => {
    const world = worldOf({ quota: 600, edges: 2 })
    world.pass(1000, load(world, 100, [1, 1]))
    const third = world.addEdge()
    world.pass(100)
    third.request()
    expect(third.admitted).toBe(1)
    world.pass(12_000, load(world, 100, [0, 0, 1]))
    expect(world.admitted()).toBe(600)
  })

  it('leaves has its part taken over', () => {
    const world = worldOf({ quota: 600, edges: 3 })
    world.pass(1000, load(world, 60, [1, 1, 1]))
    world.edges[2]?.leave()
    world.pass(100)
    expect(world.edges.slice(0, 2).map((edge) => edge.others())).toEqual([1, 1])
    world.pass(10_000, load(world, 100, [1, 0]))
    expect(world.admitted()).toBe(600)
  })

  it('came late takes over from the last that was there before', () => {
    const world = worldOf({ quota: 600, edges: 2 })
    world.pass(1000, load(world, 60, [1, 1]))
    const third = world.addEdge()
    world.pass(200)
    for (const edge of world.edges.slice(0, 2)) edge.leave()
    world.pass(10_000, () => third.request(1))
    expect(world.admitted()).toBe(600)
  })

  it('dies has its part taken over when it has been silent for some seconds', () => {
    const world = worldOf({ quota: 600, edges: 3 })
    world.pass(1000, load(world, 60, [1, 1, 1]))
    world.edges[2]?.crash()
    world.pass(6000)
    expect(world.edges.slice(0, 2).map((edge) => edge.others())).toEqual([1, 1])
    world.pass(10_000, load(world, 100, [1, 0]))
    // what it admitted since it last spoke nobody knows
    expect(world.admitted()).toBeGreaterThanOrEqual(600)
    expect(world.admitted()).toBeLessThanOrEqual(606)
  })

  it('comes while another dies and a third leaves brings no disorder', () =>
    fc.assert(
      fc.property(
        fc.nat(),
        fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 3, maxLength: 3 }),
        (seed, moments) => {
          const world = worldOf({ quota: 900, edges: 3, seed })
          const [joins = 0, leaves = 0, dies = 0] = moments
          const requests = load(world, 90, [3, 2, 1, 2], seed)
          for (let moment = 0; moment <= 40; moment += 1) {
            if (moment === joins) world.addEdge()
            if (moment === leaves) world.edges[0]?.leave()
            if (moment === dies) world.edges[1]?.crash()
            world.pass(500, requests)
          }
          world.pass(10_000, () => world.edges.slice(2).forEach((edge) => void edge.request(2)))
          // it admits before it has heard of anybody, which a real one does only without the broker
          expect(world.admitted()).toBeGreaterThanOrEqual(900 * 0.9)
          expect(world.admitted()).toBeLessThanOrEqual(900 * 1.1)
        },
      ),
      { numRuns: 6 },
    ))
})

describe('without the broker', () => {
  it('each admits its part of the quota, in this window and the next, and together no more than the quota', () => {
    const world = worldOf({ quota: 600, edges: 3 })
    for (const edge of world.edges) edge.cut()
    world.pass(58_000, load(world, 60, [1, 1, 1]))
    expect(world.admitted()).toBe(600)
    world.pass(59_000, load(world, 60, [1, 0, 0]))
    expect(world.admitted()).toBe(800)
  })

  it('and with it again, counts are one', () => {
    const world = worldOf({ quota: 600, edges: 3 })
    for (const edge of world.edges) edge.cut()
    world.pass(10_000, load(world, 30, [1, 0, 0]))
    expect(world.admitted()).toBe(200)
    for (const edge of world.edges) edge.mend()
    world.pass(10_000, load(world, 100, [1, 0, 0]))
    expect(world.admitted()).toBe(600)
    expect(world.edges.map((edge) => edge.others())).toEqual([2, 2, 2])
  })

  it('what one spent is known to all when it is back, though nothing comes to it any more', () => {
    const world = worldOf({ quota: 600, edges: 3 })
    const remaining = () =>
      world.edges.map((edge) => edge.windows.take([{ name: 'credential', key, quota: 600 }])[0]?.remaining)
    for (const edge of world.edges) edge.cut()
    world.edges[0]?.request(50)
    world.pass(500)
    for (const edge of world.edges) edge.mend()
    world.pass(200)
    expect(remaining()).toEqual([549, 549, 549])
  })

  it('likewise where the broker hung and nobody said so', () => {
    const world = worldOf({ quota: 600, edges: 3 })
    for (const edge of world.edges) edge.hang(true)
    world.edges[0]?.request(50)
    world.pass(8000)
    expect(world.edges.map((edge) => edge.others())).toEqual([2, 2, 2])
    for (const edge of world.edges) edge.hang(false)
    world.pass(2500)
    expect(world.edges[1]?.windows.take([{ name: 'credential', key, quota: 600 }])[0]?.remaining).toBe(549)
  })

  it('nothing is given to where it would not arrive', () => {
    const world = worldOf({ quota: 900, edges: 3 })
    const [asked, other] = world.edges
    asked?.request(300)
    world.pass(100, () => other?.windows.hasTouched && other.cut())
    world.pass(500)
    other?.request(300)
    expect(other?.admitted).toBe(300)
  })

  it('an edge that comes counts for itself until it finds the others', () => {
    const world = worldOf({ quota: 600, edges: 2 })
    const alone = world.addEdge()
    alone.cut()
    world.pass(1000)
    alone.request(50)
    expect(alone.admitted).toBe(50)
    alone.mend()
    world.pass(200)
    world.pass(15_000, load(world, 100, [1, 1, 1]))
    expect(world.admitted()).toBeGreaterThanOrEqual(600)
    expect(world.admitted()).toBeLessThanOrEqual(660)
  })
})
