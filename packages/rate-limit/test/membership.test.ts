import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import {
  clockCorrectionMs,
  commonClock,
  createMembership,
  hasPeers,
  type Membership,
  recordHeartbeatEcho,
  recordPeer,
  rejoin,
  removePeer,
} from '../src/membership.ts'

const now = 1_800_000_000_000
const create = (self: string) => createMembership(self, now)
const record = (membership: Membership, peer: string, sentAtMs = now) => recordPeer(membership, peer, sentAtMs, now)

describe('membership', () => {
  it('lists all edges in the same order, with the same hash, at every edge that knows the same ones', () => {
    expect([hasPeers(create('a')), create('a').all]).toEqual([false, ['a']])
    const [first, second] = [record(record(create('a'), 'b'), 'b'), record(create('b'), 'a')]
    expect([hasPeers(first), first.all, second.all]).toEqual([true, ['a', 'b'], ['a', 'b']])
    expect(first.hash).toBe(second.hash)
    expect(record(second, 'c').hash).not.toBe(first.hash)
  })

  it('forgets a peer that leaves, and does not change for an unknown one', () => {
    const membership = removePeer(record(record(create('b'), 'a'), 'c'), 'c')
    expect(membership.all).toEqual(['a', 'b'])
    expect(removePeer(membership, 'c')).toBe(membership)
  })

  it('forgets a peer that is silent while four own heartbeats are delivered', () => {
    let membership = record(record(create('a'), 'b'), 'c')
    const sizes = Array.from({ length: 4 }, () => {
      membership = recordHeartbeatEcho(record(membership, 'c'))
      return membership.peers.size
    })
    expect(sizes).toEqual([2, 2, 2, 1])
    expect(membership.all).toEqual(['a', 'c'])
  })

  it('derives the common clock from the messages with the shortest delay', () => {
    let membership = rejoin(create('a'), now)
    for (const aheadMs of [29_000, 30_000, 10_000]) membership = record(membership, 'b', now + aheadMs)
    expect(commonClock(membership, now)).toBe(now + 15_000)
    expect(membership.joinedAtMs).toBe(now + 15_000)
    const alone = removePeer(membership, 'b')
    expect([commonClock(alone, now), alone.joinedAtMs]).toEqual([now, now])
  })

  it('follows a peer whose clock is corrected', () => {
    let membership = record(create('a'), 'b', now + 30_000)
    for (let heartbeat = 0; heartbeat < 8; heartbeat += 1) membership = record(membership, 'b')
    expect(commonClock(membership, now)).toBe(now)
  })
})

describe('clockCorrectionMs', () => {
  it('gives all edges the same time, within the range of their clocks, however wrong they are', () =>
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -30_000, max: 30_000 }), { minLength: 1, maxLength: 7 }), (skews) => {
        const common = skews.map(
          (own, self) => own + clockCorrectionMs(skews.filter((_, index) => index !== self).map((skew) => skew - own)),
        )
        for (const time of common) expect(time).toBeCloseTo(common[0] ?? Number.NaN, 6)
        expect(Math.min(...skews)).toBeLessThanOrEqual(common[0] ?? Number.NaN)
        expect(Math.max(...skews)).toBeGreaterThanOrEqual(common[0] ?? Number.NaN)
      }),
    ))

  it('ignores one clock of three that is half a minute off', () => {
    expect(clockCorrectionMs([3, 30_000])).toBe(3)
    expect(clockCorrectionMs([-30_000, -29_997])).toBe(-29_997)
  })
})
