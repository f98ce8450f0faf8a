import { describe, expect, it } from '@jest/globals'
import { hashOf, windowStart } from '../../src/limit/clock.ts'
import {
  applyUpdate,
  changeQuota,
  createLedger,
  type Ledger,
  type LedgerUpdate,
  type Membership,
  openWindow,
  openWindowFrom,
  rebalance,
  updateOf,
} from '../../src/limit/ledger.ts'

const key = 'akey_01h455vb4pex5vsknk084sn02q'
const window = 30_000_000
const begin = windowStart(hashOf(key), window)

const companyOf = (self: string, all: readonly string[], joinedAt = begin - 1): Membership => ({
  self,
  all,
  membershipHash: hashOf(all.join()),
  joinedAt,
})

function opened(company: Membership, quota = 90): Ledger {
  const ledger = createLedger(key, 0)
  openWindow(ledger, window, quota, company)
  return ledger
}

/** What others say, of whom nothing else is known. */
const said = (changes: Partial<LedgerUpdate>): LedgerUpdate => ({
  ...updateOf(opened(companyOf('a', ['a', 'b', 'c']))),
  ...changes,
})

describe('a ledger', () => {
  it('begins with a part of the quota, and all parts are the quota', () => {
    const all = ['a', 'b', 'c']
    expect(all.map((self) => opened(companyOf(self, all), 91).allotted).sort()).toEqual([30, 30, 31])
    expect(opened(companyOf('a', ['a']), 91).allotted).toBe(91)
  })

  it('opened by another is in other hands where one came later, and in parts where one was there', () => {
    const held = (company: Membership, statement: LedgerUpdate) => {
      const ledger = createLedger(key, 0)
      openWindowFrom(ledger, statement, company)
      return ledger.allotted
    }
    expect(held(companyOf('b', ['a', 'b', 'c']), said({}))).toBe(30)
    expect(held(companyOf('b', ['a', 'b', 'c', 'd']), said({}))).toBe(30)
    expect(held(companyOf('d', ['a', 'b', 'c', 'd'], begin + 1), said({}))).toBe(0)
    expect(held(companyOf('d', ['a', 'd'], begin + 1), said({}))).toBe(0)
  })

  it('takes what is given once, however often it is said', () => {
    const ledger = opened(companyOf('b', ['a', 'b', 'c']))
    for (const given of [5, 5, 3, 8]) applyUpdate(ledger, 'a', said({ transfers: [['b', given, 0]] }), 0, 'b')
    expect(ledger.allotted).toBe(38)
    applyUpdate(ledger, 'a', said({ transfers: [['c', 100, 0]] }), 0, 'b')
    expect(ledger.allotted).toBe(38)
    expect(updateOf(ledger).transfers).toEqual([['a', 0, 8]])
  })

  it('counts off at once what it gives, and says so', () => {
    const company = companyOf('b', ['a', 'b', 'c'])
    const ledger = opened(company)
    expect(applyUpdate(ledger, 'a', said({ allotted: 30, spent: 30, rate: 6000 }), 0, 'b')).toBe(true)
    rebalance(ledger, company, 0)
    const { allotted: held, transfers: ties } = updateOf(ledger)
    const given = ties[0]?.[1] ?? 0
    expect(given).toBeGreaterThan(20)
    expect(held).toBe(30 - given)
    // what is on its way is not given again
    rebalance(ledger, company, 0)
    expect(updateOf(ledger).transfers[0]?.[1]).toBe(given)
  })

  it('does nothing about an edge that has enough', () => {
    const company = companyOf('b', ['a', 'b', 'c'])
    const ledger = opened(company, 900)
    expect(applyUpdate(ledger, 'a', said({ allotted: 300, spent: 10, rate: 600 }), 0, 'b')).toBe(false)
  })

  it('takes over from the dead once', () => {
    const ledger = opened(companyOf('b', ['a', 'b', 'c']))
    applyUpdate(ledger, 'a', said({ allotted: 30, spent: 10 }), 0, 'b')
    const left = companyOf('b', ['b', 'c'])
    rebalance(ledger, left, 0)
    rebalance(ledger, left, 0)
    expect(ledger.allotted).toBe(40)
    const late = opened(companyOf('d', ['a', 'd']))
    late.isFounder = false
    applyUpdate(late, 'a', said({ allotted: 30, spent: 10 }), 0, 'd')
    const before = late.allotted
    rebalance(late, companyOf('d', ['d']), 0)
    expect(late.allotted).toBe(before + 20)
  })

  it('leaves what the dead had to those who were there when the window was opened', () => {
    const late = createLedger(key, 0)
    const company = companyOf('d', ['a', 'b', 'd'], begin + 1)
    openWindowFrom(late, said({}), company)
    for (const edge of ['a', 'b']) applyUpdate(late, edge, said({ allotted: 45, spent: 45 }), 0, 'd')
    applyUpdate(late, 'a', said({ allotted: 60, spent: 45 }), 0, 'd')
    rebalance(late, companyOf('d', ['b', 'd'], begin + 1), 0)
    expect(late.allotted).toBe(0)
  })

  it('admits no more than a part of what remains where edges met that did not know of each other', () => {
    const ledgers = ['a', 'b'].map((self) => ({ self, ledger: opened(companyOf(self, [self])) }))
    for (const { ledger } of ledgers) ledger.spent = 20
    const statements = ledgers.map(({ ledger }) => updateOf(ledger))
    for (const [at, { self, ledger }] of ledgers.entries()) {
      const other = statements[1 - at]
      if (other !== undefined) applyUpdate(ledger, self === 'a' ? 'b' : 'a', other, 0, self)
      rebalance(ledger, companyOf(self, ['a', 'b'], begin + 5), 0)
    }
    expect(ledgers.reduce((sum, { ledger }) => sum + ledger.admitLimit, 0)).toBe(90)
  })

  it('knows of requests at edges that are gone, by those who knew them', () => {
    const ledger = opened(companyOf('b', ['a', 'b']))
    ledger.spent = 4
    applyUpdate(ledger, 'a', said({ spent: 10, total: 50 }), 0, 'b')
    expect(ledger.spentByOthers).toBe(46)
    expect(updateOf(ledger).total).toBe(50)
  })

  it('grows and shrinks by its part with the quota', () => {
    const company = companyOf('b', ['a', 'b', 'c'])
    const ledger = opened(company)
    changeQuota(ledger, 900, company)
    expect(ledger.allotted).toBe(300)
    changeQuota(ledger, 90, company)
    expect(ledger.allotted).toBe(30)
  })
})
