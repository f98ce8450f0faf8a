import { describe, expect, it } from '@jest/globals'
import type { Identity, IdentityChange, IdentityChangePage, IdentityHeartbeat } from '@wp/contracts'
import { problem } from '@wp/contracts'
import { noLog, noMetrics } from '@wp/runtime'
import { createChangeLogFollower } from '../../../src/identify/cache/change-log-follower.ts'
import { createInvalidations } from '../../../src/identify/cache/invalidations.ts'

/** A log of auth whose n-th change is of the principal `p<n>`. */
const change = (number: number): IdentityChange => ({ number, type: 'principal', id: `p${number}` })
const range = (after: number, latest: number) =>
  Array.from({ length: latest - after }, (_, index) => change(after + index + 1))

const heartbeat = (after: number, latest = after, isComplete = true): IdentityHeartbeat => ({
  after,
  latest,
  is_complete: isComplete,
  changes: range(after, latest),
})
const page = (status: IdentityChangePage['status'], after: number, position: number): IdentityChangePage => ({
  status,
  position,
  changes: status === 'truncated' ? [] : range(after, position),
})
const identityOf = (principal: string): Identity => ({
  principal: { id: principal, type: 'user' },
  credential_id: `session of ${principal}`,
  credential_type: 'bearer',
  workspace_id: null,
  grants: [],
  limits: { credential_per_minute: 1 },
  expires_at: null,
  tokens_valid_after: null,
})

function createHarness(read: (after: number) => IdentityChangePage | Promise<IdentityChangePage>) {
  const state = { uptime: 1_000_000, read }
  const reads: number[] = []
  const invalidations = createInvalidations()
  const follower = createChangeLogFollower({
    readChanges: async (after) => {
      reads.push(after)
      return await state.read(after)
    },
    invalidations,
    uptime: () => state.uptime,
    log: noLog,
    metrics: noMetrics,
  })
  const isProven = () => state.uptime < follower.provenUntil()
  /** Caches something now. @returns a function that tells which of the principals may still be used */
  function cache(...principals: string[]) {
    const since = invalidations.sequence()
    return () => principals.filter((principal) => invalidations.isCurrentSince(since, identityOf(principal)))
  }
  return { follower, state, reads, isProven, cache }
}
const noReads = () => Promise.reject(new Error('the log must not be read'))

describe('the follower of the change log', () => {
  it('proves the cache current for three seconds after each heartbeat without a gap', () => {
    const { follower, state, isProven } = createHarness(noReads)
    expect(isProven()).toBe(false)
    for (let second = 0; second < 60; second += 1) {
      follower.receive(heartbeat(7))
      state.uptime += 1_000
      expect(isProven()).toBe(true)
    }
    state.uptime += 1_999
    expect(isProven()).toBe(true)
    state.uptime += 1
    expect(isProven()).toBe(false)
  })

  it('discards what was cached before its first heartbeat, which may miss changes', () => {
    const { follower, cache } = createHarness(noReads)
    const cached = cache('p1')
    follower.receive(heartbeat(7))
    expect(cached()).toEqual([])
  })

  it('applies the changes of a heartbeat, and each only once', () => {
    const { follower, cache } = createHarness(noReads)
    follower.receive(heartbeat(7))
    const cached = cache('p7', 'p8', 'p9', 'p10')
    follower.receive(heartbeat(7, 9))
    expect(cached()).toEqual(['p7', 'p10'])
    const cachedLater = cache('p9', 'p10')
    follower.receive(heartbeat(8, 10))
    expect(cachedLater()).toEqual(['p9'])
  })

  it('reads the missed changes from auth when a heartbeat was lost', async () => {
    const { follower, state, reads, isProven, cache } = createHarness((after) => page('current', after, 12))
    follower.receive(heartbeat(7))
    const cached = cache('p7', 'p8', 'p12')
    state.uptime += 3_000
    follower.receive(heartbeat(10, 12))
    expect(isProven()).toBe(false)
    await follower.check()
    expect([reads, cached(), isProven()]).toEqual([[7], ['p7'], true])
    follower.receive(heartbeat(12, 13))
    expect(reads).toEqual([7])
  })

  it('reads all pages, and is proven by the last one only', async () => {
    const { follower, state, reads, isProven, cache } = createHarness((after) =>
      page(after < 27 ? 'more' : 'current', after, after + 10),
    )
    follower.receive(heartbeat(7))
    const cached = cache('p8', 'p37', 'p38')
    state.uptime += 3_000
    state.read = (after) => {
      expect(isProven()).toBe(false)
      return page(after < 27 ? 'more' : 'current', after, after + 10)
    }
    await follower.check()
    expect([reads, cached(), isProven()]).toEqual([[7, 17, 27], ['p38'], true])
  })

  it('reads the log from auth when no heartbeat arrives, so that it does without the broker', async () => {
    const { follower, state, reads, isProven, cache } = createHarness((after) => page('current', after, after))
    follower.receive(heartbeat(7))
    const cached = cache('p8')
    for (let second = 0; second < 30; second += 1) {
      state.uptime += 1_000
      await follower.check()
      expect(isProven()).toBe(true)
    }
    expect(reads).toHaveLength(15)
    state.read = (after) => page('current', after, 8)
    state.uptime += 2_000
    await follower.check()
    expect(cached()).toEqual([])
  })

  it('proves nothing by a read that began too long ago', async () => {
    const answer = Promise.withResolvers<IdentityChangePage>()
    const { follower, state, isProven } = createHarness(() => answer.promise)
    follower.receive(heartbeat(7))
    state.uptime += 2_000
    const checked = follower.check()
    state.uptime += 3_000
    answer.resolve(page('current', 7, 7))
    await checked
    expect(isProven()).toBe(false)
  })

  it('proves nothing while auth has changes without a number', async () => {
    const { follower, state, reads, isProven } = createHarness((after) => page('more', after, after))
    follower.receive(heartbeat(7))
    state.uptime += 3_000
    await follower.check()
    expect([reads, isProven()]).toEqual([[7], false])
    follower.receive(heartbeat(7, 9, false))
    expect(isProven()).toBe(false)
    follower.receive(heartbeat(9, 10))
    expect(isProven()).toBe(true)
  })

  it('discards everything when the log was truncated below its position', async () => {
    const { follower, state, isProven, cache } = createHarness((after) =>
      after === 7 ? page('truncated', after, 90) : page('current', after, 90),
    )
    follower.receive(heartbeat(7))
    const cached = cache('unconcerned')
    state.uptime += 60_000
    follower.receive(heartbeat(89, 90))
    await follower.check()
    expect([cached(), isProven()]).toEqual([[], true])
    const cachedLater = cache('p90', 'p91')
    follower.receive(heartbeat(90, 91))
    expect(cachedLater()).toEqual(['p90'])
  })

  it('discards everything when it missed more than it may read', async () => {
    const { follower, state, reads, isProven, cache } = createHarness((after) => page('more', after, after + 1))
    follower.receive(heartbeat(7))
    const cached = cache('unconcerned')
    state.uptime += 3_000
    await follower.check()
    expect([reads.length, cached(), isProven()]).toEqual([20, [], false])
  })

  it('asks auth when a heartbeat is behind: it is late, or the database was restored', async () => {
    const { follower, reads, cache } = createHarness((after) =>
      after > 5 ? page('truncated', after, 5) : page('current', after, 5),
    )
    follower.receive(heartbeat(7))
    const cached = cache('unconcerned')
    follower.receive(heartbeat(5))
    await follower.check()
    await Promise.resolve()
    expect(reads[0]).toBe(7)
    expect(cached()).toEqual([])
    const cachedLater = cache('p6')
    follower.receive(heartbeat(5, 6))
    expect(cachedLater()).toEqual([])
  })

  it('is not proven while neither the broker nor auth is available, and recovers', async () => {
    const { follower, state, isProven, cache } = createHarness(() => Promise.reject(problem('service_unavailable')))
    follower.receive(heartbeat(7))
    const cached = cache('p7', 'p8')
    state.uptime += 3_000
    await follower.check()
    expect([isProven(), cached()]).toEqual([false, ['p7', 'p8']])
    state.read = (after) => page('current', after, 8)
    await follower.check()
    expect([isProven(), cached()]).toEqual([true, ['p7']])
  })
})
