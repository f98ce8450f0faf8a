import { describe, expect, it } from '@jest/globals'
import type { LedgerUpdate } from '../src/ledger/ledger-update.ts'
import { createMembership, recordPeer } from '../src/membership.ts'
import { createRateLimiter, type Policy, type RateLimiterOptions } from '../src/rate-limiter.ts'
import { hashOf, windowStart } from '../src/window.ts'

/** Start of a window of the key `a`. */
const startMs = windowStart(hashOf('a'), 30_000_000)
const policy = (name: string, quota: number, key = 'a'): Policy => ({ name, key, quota })

/** Creates the limiter of an edge without peers. */
const limiterAt = (now: () => number, options: Partial<RateLimiterOptions> = {}) => {
  const membership = createMembership('self', now())
  return createRateLimiter({ membership: () => membership, now, ...options })
}

describe('take', () => {
  it('admits exactly the quota in each window', () => {
    let now = startMs
    const limiter = limiterAt(() => now)
    const countAdmitted = () =>
      Array.from({ length: 10 }, () => limiter.take([policy('credential', 7)])).filter(
        ([status]) => status?.isExceeded === false,
      ).length
    expect(countAdmitted()).toBe(7)
    now = startMs + 59_999
    expect(countAdmitted()).toBe(0)
    now = startMs + 60_000
    expect(countAdmitted()).toBe(7)
  })

  it('counts a request against all policies or none', () => {
    const limiter = limiterAt(() => startMs)
    const both = [policy('credential', 10, 'b'), policy('workspace', 2)]
    for (let count = 0; count < 5; count += 1) limiter.take(both)
    expect(limiter.take(both)).toMatchObject([
      { name: 'credential', remaining: 8, isExceeded: false },
      { name: 'workspace', remaining: 0, isExceeded: true },
    ])
  })

  it('reports the seconds until the window ends, at least one', () => {
    let now = startMs
    const limiter = limiterAt(() => now)
    const take = () => limiter.take([policy('credential', 1)])[0]
    expect(take()).toMatchObject({ isExceeded: false, resetSeconds: 60 })
    now = startMs + 59_500
    expect(take()).toMatchObject({ isExceeded: true, resetSeconds: 1, retrySeconds: 1 })
    now = startMs + 59_999
    expect(take()).toMatchObject({ isExceeded: true, resetSeconds: 1, retrySeconds: 1 })
  })

  it('counts each key separately', () => {
    const limiter = limiterAt(() => startMs)
    expect(limiter.take([policy('credential', 1, 'a')])[0]?.isExceeded).toBe(false)
    expect(limiter.take([policy('credential', 1, 'b')])[0]?.isExceeded).toBe(false)
  })

  it('follows a quota that changes during the window', () => {
    const limiter = limiterAt(() => startMs)
    const take = (quota: number) => limiter.take([policy('credential', quota)])[0]
    expect(take(0)).toMatchObject({ isExceeded: true, remaining: 0 })
    expect(take(2)).toMatchObject({ isExceeded: false, remaining: 1 })
    expect(take(1)).toMatchObject({ isExceeded: true, remaining: 0 })
    expect(take(3)).toMatchObject({ isExceeded: false, remaining: 1 })
  })

  it('forgets the least recently used key when there are too many', () => {
    const limiter = limiterAt(() => startMs, { maxKeys: 2 })
    const isAdmitted = (key: string) => limiter.take([policy('credential', 1, key)])[0]?.isExceeded === false
    expect(['a', 'b', 'a', 'c', 'a', 'b'].map(isAdmitted)).toEqual([true, true, false, true, false, true])
  })

  it('queues nothing for publication when there are no peers', () => {
    let calls = 0
    const limiter = limiterAt(() => startMs, {
      onQueued: () => {
        calls += 1
      },
    })
    for (let count = 0; count < 5; count += 1) limiter.take([policy('credential', 3)])
    expect([calls, limiter.hasQueuedUpdates]).toEqual([0, false])
  })
})

/** The state of the key `a` at another edge. */
const updateOf = (fields: Partial<LedgerUpdate>): LedgerUpdate => ({
  key: 'a',
  window: 30_000_000,
  quota: 600,
  partCount: 2,
  membershipHash: 1,
  allotted: 300,
  spent: 0,
  totalSpent: 0,
  ratePerMinute: 0,
  transfers: [],
  ...fields,
})

describe('applyUpdates', () => {
  it('publishes that an edge has nothing of a window that was opened before it joined', () => {
    const alone = createMembership('self', startMs + 5_000)
    const membership = recordPeer(alone, 'opener', startMs + 5_000, startMs + 5_000)
    const limiter = limiterAt(() => startMs + 5_000, { membership: () => membership })
    limiter.applyUpdates('opener', [updateOf({ spent: 1, totalSpent: 1, ratePerMinute: 20 })])
    expect(limiter.takeUpdates(10, true)).toMatchObject([{ key: 'a', allotted: 0, totalSpent: 1 }])
  })

  it('ignores windows that have ended or are more than one ahead', () => {
    const limiter = limiterAt(() => startMs)
    const take = () => limiter.take([policy('credential', 2)])[0]
    take()
    const update = updateOf({ quota: 2, allotted: 2, spent: 2, totalSpent: 2 })
    for (const window of [29_999_999, 30_000_002, 31_000_000]) limiter.applyUpdates('other', [{ ...update, window }])
    expect(take()).toMatchObject({ isExceeded: false, remaining: 0, resetSeconds: 60 })
    limiter.applyUpdates('other', [{ ...update, window: 30_000_001 }])
    expect(take()).toMatchObject({ isExceeded: true, resetSeconds: 60 })
  })
})

describe('check', () => {
  it('reports a policy without counting the request', () => {
    const limiter = limiterAt(() => startMs)
    const quota = [policy('failures', 1)]
    for (let count = 0; count < 3; count += 1)
      expect(limiter.check(quota)).toMatchObject([{ remaining: 1, isExceeded: false }])
    limiter.take(quota)
    expect(limiter.check(quota)).toMatchObject([{ remaining: 0, isExceeded: true, retrySeconds: 60 }])
  })
})
