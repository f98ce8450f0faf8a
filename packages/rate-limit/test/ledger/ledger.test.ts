import { describe, expect, it } from '@jest/globals'
import { changeQuota, createLedger, type Ledger, openWindow } from '../../src/ledger/ledger.ts'
import { applyUpdate, type LedgerUpdate, openWindowFrom, updateOf } from '../../src/ledger/ledger-update.ts'
import { rebalance } from '../../src/ledger/rebalance.ts'
import type { Membership } from '../../src/membership.ts'
import { hashOf, windowStart } from '../../src/window.ts'

const key = 'akey_01h455vb4pex5vsknk084sn02q'
const window = 30_000_000
const startMs = windowStart(hashOf(key), window)

const membershipOf = (self: string, all: readonly string[], joinedAtMs = startMs - 1): Membership => ({
  self,
  all,
  hash: hashOf(all.join()),
  correctionMs: 0,
  joinedAtMs,
  peers: new Map(),
})

/** Memberships of edges b and d, as arguments of `applyUpdate`. */
const asB = membershipOf('b', ['a', 'b', 'c'])
const asD = membershipOf('d', ['a', 'b', 'd'])

function openLedger(membership: Membership, quota = 90): Ledger {
  const ledger = createLedger(key, 0)
  openWindow(ledger, window, quota, membership)
  return ledger
}

/** An update of one of three edges that have just opened the window. */
const updateWith = (changes: Partial<LedgerUpdate>): LedgerUpdate => ({
  ...updateOf(openLedger(membershipOf('a', ['a', 'b', 'c']))),
  ...changes,
})

describe('openWindow', () => {
  it('allots parts that add up to the quota', () => {
    const all = ['a', 'b', 'c']
    expect(all.map((self) => openLedger(membershipOf(self, all), 91).allotted).sort()).toEqual([30, 30, 31])
    expect(openLedger(membershipOf('a', ['a']), 91).allotted).toBe(91)
  })
})

describe('openWindowFrom', () => {
  it.each([
    { title: 'the same edges', membership: membershipOf('b', ['a', 'b', 'c']), allotted: 30 },
    { title: 'more edges', membership: membershipOf('b', ['a', 'b', 'c', 'd']), allotted: 30 },
    {
      title: 'more edges, after this one joined late',
      membership: membershipOf('d', ['a', 'b', 'c', 'd'], startMs + 1),
      allotted: 0,
    },
    {
      title: 'other edges, after this one joined late',
      membership: membershipOf('d', ['a', 'd'], startMs + 1),
      allotted: 0,
    },
  ])('allots $allotted units when this edge knows $title', ({ membership, allotted }) => {
    const ledger = createLedger(key, 0)
    openWindowFrom(ledger, updateWith({}), membership)
    expect(ledger.allotted).toBe(allotted)
  })
})

describe('applyUpdate', () => {
  it('credits a transfer once, however often it is published', () => {
    const ledger = openLedger(membershipOf('b', ['a', 'b', 'c']))
    for (const given of [5, 5, 3, 8]) applyUpdate(ledger, 'a', updateWith({ transfers: [['b', given, 0]] }), 0, asB)
    expect(ledger.allotted).toBe(38)
    applyUpdate(ledger, 'a', updateWith({ transfers: [['c', 100, 0]] }), 0, asB)
    expect(ledger.allotted).toBe(38)
    expect(updateOf(ledger).transfers).toEqual([['a', 0, 8]])
  })

  it('asks for nothing when the peer has enough', () => {
    const ledger = openLedger(membershipOf('b', ['a', 'b', 'c']), 900)
    expect(applyUpdate(ledger, 'a', updateWith({ allotted: 300, spent: 10, ratePerMinute: 600 }), 0, asB)).toBe(false)
  })

  it('reclaims the part of a peer that joined after the window started, for the initial members', () => {
    const ledger = openLedger(asB, 90)
    applyUpdate(ledger, 'c', updateWith({ allotted: 0 }), 0, asB)
    expect(ledger.allotted).toBe(45)
    applyUpdate(ledger, 'c', updateWith({ allotted: 0 }), 0, asB)
    rebalance(ledger, membershipOf('b', ['b', 'c']), 0)
    const [[, given] = ['c', 0]] = updateOf(ledger).transfers
    expect(ledger.allotted + given).toBe(90)
  })

  it('reclaims the same when an initial member is removed first', () => {
    const ledger = openLedger(asB, 90)
    const remaining = membershipOf('b', ['b', 'c'])
    rebalance(ledger, remaining, 0)
    expect(ledger.allotted).toBe(45)
    applyUpdate(ledger, 'c', updateWith({ allotted: 0 }), 0, remaining)
    expect(ledger.allotted).toBe(90)
  })

  it('does not take a peer that has transferred its part for one that has none', () => {
    const ledger = openLedger(asB, 90)
    applyUpdate(ledger, 'a', updateWith({ allotted: 0, transfers: [['c', 30, 0]] }), 0, asB)
    expect(ledger.allotted).toBe(30)
  })

  it('learns of requests at removed edges from the edges that knew them', () => {
    const ledger = openLedger(membershipOf('b', ['a', 'b']))
    ledger.spent = 4
    applyUpdate(ledger, 'a', updateWith({ spent: 10, totalSpent: 50 }), 0, asB)
    expect(ledger.spentByPeers).toBe(46)
    expect(updateOf(ledger).totalSpent).toBe(50)
  })
})

describe('rebalance', () => {
  it('debits a transfer at once, publishes it, and does not repeat it while it is in transit', () => {
    const membership = membershipOf('b', ['a', 'b', 'c'])
    const ledger = openLedger(membership)
    const update = updateWith({ allotted: 30, spent: 30, ratePerMinute: 6000 })
    expect(applyUpdate(ledger, 'a', update, 0, asB)).toBe(true)
    rebalance(ledger, membership, 0)
    const { allotted, transfers } = updateOf(ledger)
    const given = transfers[0]?.[1] ?? 0
    expect(given).toBeGreaterThan(20)
    expect(allotted).toBe(30 - given)
    rebalance(ledger, membership, 0)
    expect(updateOf(ledger).transfers[0]?.[1]).toBe(given)
  })

  it('inherits from a removed peer once', () => {
    const ledger = openLedger(membershipOf('b', ['a', 'b', 'c']))
    applyUpdate(ledger, 'a', updateWith({ allotted: 30, spent: 10 }), 0, asB)
    const remaining = membershipOf('b', ['b', 'c'])
    rebalance(ledger, remaining, 0)
    rebalance(ledger, remaining, 0)
    expect(ledger.allotted).toBe(40)
  })

  it('inherits everything when no initial member is left', () => {
    const ledger = openLedger(membershipOf('d', ['a', 'd']))
    ledger.isInitialMember = false
    applyUpdate(ledger, 'a', updateWith({ allotted: 30, spent: 10 }), 0, asD)
    const before = ledger.allotted
    rebalance(ledger, membershipOf('d', ['d']), 0)
    expect(ledger.allotted).toBe(before + 20)
  })

  it('leaves the inheritance to the initial members when this edge joined later', () => {
    const ledger = createLedger(key, 0)
    openWindowFrom(ledger, updateWith({}), membershipOf('d', ['a', 'b', 'd'], startMs + 1))
    for (const edge of ['a', 'b']) applyUpdate(ledger, edge, updateWith({ allotted: 45, spent: 45 }), 0, asD)
    applyUpdate(ledger, 'a', updateWith({ allotted: 60, spent: 45 }), 0, asD)
    rebalance(ledger, membershipOf('d', ['b', 'd'], startMs + 1), 0)
    expect(ledger.allotted).toBe(0)
  })

  it('caps every edge at its share when edges that did not know of each other meet', () => {
    const ledgers = ['a', 'b'].map((self) => ({ self, ledger: openLedger(membershipOf(self, [self])) }))
    for (const { ledger } of ledgers) ledger.spent = 20
    const updates = ledgers.map(({ ledger }) => updateOf(ledger))
    for (const [index, { self, ledger }] of ledgers.entries()) {
      const update = updates[1 - index]
      if (update !== undefined)
        applyUpdate(ledger, self === 'a' ? 'b' : 'a', update, 0, membershipOf(self, ['a', 'b'], startMs + 5))
      rebalance(ledger, membershipOf(self, ['a', 'b'], startMs + 5), 0)
    }
    expect(ledgers.reduce((sum, { ledger }) => sum + ledger.admitLimit, 0)).toBe(90)
  })
})

describe('changeQuota', () => {
  it('changes the allotment by its part of the difference', () => {
    const membership = membershipOf('b', ['a', 'b', 'c'])
    const ledger = openLedger(membership)
    changeQuota(ledger, 900, membership)
    expect(ledger.allotted).toBe(300)
    changeQuota(ledger, 90, membership)
    expect(ledger.allotted).toBe(30)
  })
})
