import { describe, expect, it } from '@jest/globals'
import { createMembers } from '../../src/limit/members.ts'

const time = 1_800_000_000_000

describe('the edges one knows', () => {
  it('are those that were heard, sorted, and every two who know the same come to the same', () => {
    const [one, two] = [createMembers('a', () => time), createMembers('b', () => time)]
    expect([one.shared, one.all()]).toEqual([false, ['a']])
    expect([one.heard('b', time), one.heard('b', time), two.heard('a', time)]).toEqual([true, false, true])
    expect([one.shared, one.all(), two.all()]).toEqual([true, ['a', 'b'], ['a', 'b']])
    expect(one.between).toBe(two.between)
    two.heard('c', time)
    expect(one.between).not.toBe(two.between)
    expect([two.left('c'), two.left('c'), two.all()]).toEqual([true, false, ['a', 'b']])
  })

  it('are forgotten when own beats come back and none of theirs', () => {
    const members = createMembers('a', () => time)
    members.heard('b', time)
    members.heard('c', time)
    const echoes = Array.from({ length: 4 }, () => {
      members.heard('c', time)
      return members.echoed()
    })
    expect(echoes).toEqual([false, false, false, true])
    expect(members.all()).toEqual(['a', 'c'])
  })

  it('have a clock in common, by the messages that came the shortest way', () => {
    const members = createMembers('a', () => time)
    members.arrive()
    members.heard('b', time + 29_000)
    members.heard('b', time + 30_000)
    members.heard('b', time + 10_000)
    expect(members.clock()).toBe(time + 15_000)
    expect(members.joinedAt).toBe(time + 15_000)
    members.left('b')
    expect([members.clock(), members.joinedAt]).toEqual([time, time])
  })

  it('are followed when a clock is set', () => {
    const members = createMembers('a', () => time)
    members.heard('b', time + 30_000)
    for (let beat = 0; beat < 8; beat += 1) members.heard('b', time)
    expect(members.clock()).toBe(time)
  })
})
