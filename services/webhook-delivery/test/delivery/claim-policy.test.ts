import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { chooseForFreeSlots, createClaimPolicy } from '../../src/delivery/claim-policy.ts'
import type { SlotHolder } from '../../src/delivery/slot-use.ts'
import type { ReadyWorkspace } from '../../src/store/deliveries/ready-endpoints.ts'

const maxClaimSize = 200

const ready = (workspaceId: string, demand: number, isFailing = false): ReadyWorkspace => ({
  workspaceId,
  isFailing,
  demand,
})

const attemptsOf = (workspaceId: string, count: number, isEndpointFailing = false): SlotHolder[] =>
  Array.from({ length: count }, (_, index) => ({
    workspaceId,
    destination: `https://${workspaceId}-${index}`,
    isEndpointFailing,
  }))

/** Returns the slots that each workspace gets in one claim. */
function claim(workspaces: readonly ReadyWorkspace[], inFlight: readonly SlotHolder[], concurrency: number) {
  const shares = createClaimPolicy(inFlight, { concurrency, maxClaimSize }).shareSlots(workspaces)
  return Object.fromEntries(shares.map(({ workspaceId, slots }) => [workspaceId, slots]))
}

describe('shareSlots', () => {
  it('lends idle slots to a single workspace, but keeps a quarter free', () => {
    expect(claim([ready('a', 3_600)], attemptsOf('a', 300), 512)).toEqual({ a: 84 })
    expect(claim([ready('a', 3_600)], attemptsOf('a', 384), 512)).toEqual({ a: 0 })
  })

  it('limits a workspace to a quarter of the slots while others wait', () => {
    expect(claim([ready('a', 3_600), ready('b', 100)], attemptsOf('a', 128), 512)).toEqual({ a: 100, b: 100 })
    expect(claim([ready('a', 90), ready('b', 15)], attemptsOf('a', 20), 80)).toEqual({ a: 29, b: 15 })
    expect(claim([ready('a', 90), ready('b', 90)], attemptsOf('a', 60), 80)).toEqual({ a: 0, b: 15 })
  })

  it('lends equally when all have reached a quarter', () => {
    const three = [ready('a', 90), ready('b', 90), ready('c', 90)]
    expect(claim(three, attemptsOf('a', 20), 80)).toEqual({ a: 4, b: 24, c: 24 })
  })

  it('uses every slot of a process that has only one or two', () => {
    expect(claim([ready('a', 9)], [], 1)).toEqual({ a: 1 })
    expect(claim([ready('a', 9)], attemptsOf('a', 1), 2)).toEqual({ a: 1 })
  })

  it('limits failing endpoints to half of the slots, and leaves some of them to other workspaces', () => {
    expect(claim([ready('a', 3_600, true)], [], 64)).toEqual({ a: 24 })
    expect(claim([ready('a', 3_600, true), ready('b', 9, true)], attemptsOf('a', 24, true), 64)).toEqual({ a: 0, b: 6 })
    expect(claim([ready('a', 3_600), ready('b', 9, true)], attemptsOf('b', 24, true), 64)).toMatchObject({ b: 0 })
  })
})

describe('selectRows', () => {
  const endpoint = (webhookId: string, destination: string) => ({
    webhookId,
    workspaceId: 'a',
    isFailing: false,
    destination,
  })
  const share = (slots: number) => ({ ...ready('a', 99), slots, maxEndpoints: 99 })

  it('divides a share among its endpoints', () => {
    const policy = createClaimPolicy([], { concurrency: 512, maxClaimSize })
    const endpoints = [endpoint('1', 'https://x'), endpoint('2', 'https://y')]
    expect(policy.selectRows([share(9)], endpoints)).toEqual([
      { webhookId: '1', maxRows: 4 },
      { webhookId: '2', maxRows: 4 },
    ])
  })

  it('gives a destination at most an eighth of the slots, in flight and claimed', () => {
    const inFlight = Array.from({ length: 5 }, () => ({
      workspaceId: 'a',
      destination: 'https://x',
      isEndpointFailing: false,
    }))
    const policy = createClaimPolicy(inFlight, { concurrency: 64, maxClaimSize })
    const endpoints = [endpoint('1', 'https://x'), endpoint('2', 'https://x'), endpoint('3', 'https://y')]
    expect(policy.selectRows([share(6)], endpoints)).toEqual([
      { webhookId: '1', maxRows: 2 },
      { webhookId: '2', maxRows: 1 },
      { webhookId: '3', maxRows: 2 },
    ])
    const full = createClaimPolicy([...inFlight, ...inFlight], { concurrency: 64, maxClaimSize })
    expect(full.fullDestinations).toEqual([{ workspaceId: 'a', destination: 'https://x' }])
  })

  it('counts the attempts of other workspaces at a destination separately', () => {
    const inFlight = Array.from({ length: 8 }, () => ({
      workspaceId: 'b',
      destination: 'https://x',
      isEndpointFailing: false,
    }))
    const policy = createClaimPolicy(inFlight, { concurrency: 64, maxClaimSize })
    expect(policy.selectRows([share(4)], [endpoint('1', 'https://x')])).toEqual([{ webhookId: '1', maxRows: 4 }])
  })
})

describe('any mix of workspaces', () => {
  interface Workspace {
    id: string
    backlog: number
    isFailing: boolean
    /** Claims that each attempt lasts. */
    duration: number
  }

  const mix = fc.array(
    fc.record({
      backlog: fc.integer({ min: 0, max: 2_000 }),
      isFailing: fc.boolean(),
      duration: fc.integer({ min: 1, max: 30 }),
    }),
    { minLength: 1, maxLength: 30 },
  )

  /** Simulates claims; `visit` sees each of them. */
  function simulate(
    workspaces: readonly Workspace[],
    concurrency: number,
    visit: (claim: { ready: readonly Workspace[]; before: readonly SlotHolder[]; slots: Map<string, number> }) => void,
  ) {
    const queues = workspaces.map((workspace) => ({ ...workspace, servedAt: 0 }))
    let inFlight: (SlotHolder & { endsAt: number })[] = []
    for (let round = 1; round <= 60; round += 1) {
      inFlight = inFlight.filter(({ endsAt }) => endsAt > round)
      const waiting = queues.filter(({ backlog }) => backlog > 0).sort((a, b) => a.servedAt - b.servedAt)
      const policy = createClaimPolicy(inFlight, { concurrency, maxClaimSize })
      const shares = policy.shareSlots(waiting.map((each) => ready(each.id, each.backlog, each.isFailing)))
      const slots = new Map(shares.map((share) => [share.workspaceId, share.slots]))
      visit({ ready: waiting.map((each) => ({ ...each })), before: inFlight, slots })
      for (const queue of waiting) {
        const count = slots.get(queue.id) ?? 0
        if (count === 0) continue
        queue.backlog -= count
        queue.servedAt = round
        const attempts = attemptsOf(queue.id, count, queue.isFailing)
        inFlight.push(...attempts.map((attempt) => ({ ...attempt, endsAt: round + queue.duration })))
      }
    }
  }

  /** Each is a simulation of 60 claims. */
  const cases = { numRuns: 30 }

  const named = (workspaces: readonly Omit<Workspace, 'id'>[]): Workspace[] =>
    workspaces.map((workspace, index) => ({ ...workspace, id: `ws-${index}` }))

  it('serves a workspace without attempts in flight before any that was served after it', () => {
    fc.assert(
      fc.property(mix, fc.integer({ min: 1, max: 512 }), (workspaces, concurrency) => {
        simulate(named(workspaces), concurrency, ({ ready: waiting, before, slots }) => {
          const isIdle = ({ id }: Workspace) => before.every(({ workspaceId }) => workspaceId !== id)
          const unserved = waiting.findIndex((each) => isIdle(each) && !each.isFailing && slots.get(each.id) === 0)
          if (unserved === -1) return
          const later = waiting.slice(unserved + 1)
          expect(later.filter(({ id }) => slots.get(id) !== 0)).toEqual([])
        })
      }),
      cases,
    )
  })

  it('serves a workspace that arrives at once, however long the attempts of 16 others take', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ isFailing: fc.boolean() }), { maxLength: 16 }), (others) => {
        const endless = others.map((other) => ({ ...other, backlog: 2_000, duration: 1_000 }))
        const held: SlotHolder[] = []
        simulate(named(endless), 512, ({ before }) => held.splice(0, held.length, ...before))
        expect(claim([ready('new', 4)], held, 512)).toEqual({ new: 4 })
        expect(claim([ready('new', 1, true)], held, 512)).toEqual({ new: 1 })
      }),
      cases,
    )
  })

  it('stays within every limit and uses slots while a workspace may take one', () => {
    fc.assert(
      fc.property(mix, fc.integer({ min: 1, max: 512 }), (workspaces, concurrency) => {
        simulate(named(workspaces), concurrency, ({ ready: waiting, before, slots }) => {
          const taken = [...slots.values()].reduce((sum, count) => sum + count, 0)
          expect(before.length + taken).toBeLessThanOrEqual(concurrency)
          expect(taken).toBeLessThanOrEqual(maxClaimSize)
          const isFailing = new Map(waiting.map((each) => [each.id, each.isFailing]))
          const failing = [...slots].filter(([id]) => isFailing.get(id)).reduce((sum, [, count]) => sum + count, 0)
          const failingBefore = before.filter(({ isEndpointFailing }) => isEndpointFailing).length
          expect(failingBefore + failing).toBeLessThanOrEqual(Math.ceil(concurrency / 2))
          const isStarved = taken === 0 && before.length === 0 && waiting.length > 0
          expect(isStarved).toBe(false)
        })
      }),
      cases,
    )
  })
})

describe('chooseForFreeSlots', () => {
  const countChosen = (deliveries: readonly SlotHolder[], inFlight: readonly SlotHolder[]) =>
    Object.fromEntries(
      [...Map.groupBy(chooseForFreeSlots(deliveries, inFlight, 64), ({ workspaceId }) => workspaceId)].map(
        ([workspaceId, chosen]) => [workspaceId, chosen.length],
      ),
    )

  it('gives a workspace its fair share of the slots and lends none', () => {
    expect(countChosen([...attemptsOf('a', 40), ...attemptsOf('b', 3)], [])).toEqual({ a: 16, b: 3 })
    expect(countChosen(attemptsOf('a', 40), attemptsOf('a', 10))).toEqual({ a: 6 })
  })

  it('gives a destination an eighth of the slots', () => {
    const toOne = Array.from({ length: 12 }, () => ({
      workspaceId: 'a',
      destination: 'https://x',
      isEndpointFailing: false,
    }))
    expect(countChosen(toOne, toOne.slice(0, 2))).toEqual({ a: 6 })
  })
})

describe('a claim in progress', () => {
  it('counts the slots that it has given away, and those that others have taken since it began', () => {
    const policy = createClaimPolicy([], { concurrency: 64, maxClaimSize })
    expect(policy.planned()).toEqual([])
    const shares = policy.shareSlots([ready('a', 20)])
    expect(policy.planned()).toHaveLength(20)
    const taken = { workspaceId: 'a', destination: 'https://x', isEndpointFailing: false }
    for (let count = 0; count < 5; count += 1) policy.add(taken)
    const endpoint = { webhookId: '1', workspaceId: 'a', isFailing: false, destination: 'https://x' }
    expect(policy.selectRows(shares, [endpoint])).toEqual([{ webhookId: '1', maxRows: 3 }])
    expect(policy.planned()).toEqual([taken, taken, taken])
  })

  it('is short of slots if the shares are limited by them, not by the size of the claim', () => {
    const isShort = (demand: number, limits: { concurrency: number; maxClaimSize: number }) => {
      const policy = createClaimPolicy([], limits)
      policy.shareSlots([ready('a', demand)])
      return policy.isShortOfSlots()
    }
    expect(isShort(9, { concurrency: 64, maxClaimSize })).toBe(false)
    expect(isShort(99, { concurrency: 64, maxClaimSize })).toBe(true)
    expect(isShort(99, { concurrency: 512, maxClaimSize: 50 })).toBe(false)
  })
})
