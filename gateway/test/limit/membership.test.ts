import { describe, expect, it } from '@jest/globals'
import { createMembershipTracker } from '../../src/limit/membership.ts'

const time = 1_800_000_000_000

describe('the edges one knows', () => {
  it('are those that were heard, sorted, and every two who know the same come to the same', () => {
    const [one, two] = [createMembershipTracker('a', () => time), createMembershipTracker('b', () => time)]
    expect([one.hasPeers, one.all()]).toEqual([false, ['a']])
    expect([one.recordPeer('b', time), one.recordPeer('b', time), two.recordPeer('a', time)]).toEqual([
      true,
      false,
      true,
    ])
    expect([one.hasPeers, one.all(), two.all()]).toEqual([true, ['a', 'b'], ['a', 'b']])
    expect(one.membershipHash).toBe(two.membershipHash)
    two.recordPeer('c', time)
    expect(one.membershipHash).not.toBe(two.membershipHash)
    expect([two.removePeer('c'), two.removePeer('c'), two.all()]).toEqual([true, false, ['a', 'b']])
  })

  it('are forgotten when own beats come back and none of theirs', () => {
    const members = createMembershipTracker('a', () => time)
    members.recordPeer('b', time)
    members.recordPeer('c', time)
    const echoes = Array.from({ length: 4 }, () => {
      members.recordPeer('c', time)
      return members.recordEcho()
    })
    expect(echoes).toEqual([false, false, false, true])
    expect(members.all()).toEqual(['a', 'c'])
  })

  it('have a clock in common, by the messages that came the shortest way', () => {
    const members = createMembershipTracker('a', () => time)
    members.rejoin()
    members.recordPeer('b', time + 29_000)
    members.recordPeer('b', time + 30_000)
    members.recordPeer('b', time + 10_000)
    expect(members.clock()).toBe(time + 15_000)
    expect(members.joinedAt).toBe(time + 15_000)
    members.removePeer('b')
    expect([members.clock(), members.joinedAt]).toEqual([time, time])
  })

  it('are followed when a clock is set', () => {
    const members = createMembershipTracker('a', () => time)
    members.recordPeer('b', time + 30_000)
    for (let beat = 0; beat < 8; beat += 1) members.recordPeer('b', time)
    expect(members.clock()).toBe(time)
  })
})
