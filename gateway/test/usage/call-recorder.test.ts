import { describe, expect, it } from '@jest/globals'
import type { Subject } from '@wp/service'
import { createCallCounter } from '../../src/usage/call-recorder.ts'

const subjectIn = (workspaceId: string | null): Subject => ({
  principal: { id: 'usr_1', type: 'user' },
  credentialId: 'ses_1',
  workspaceId,
  shard: 'one',
  location: 'TST',
  scopes: [],
})

function createHarness(max?: number) {
  const clock = { now: 1_000 }
  const counter = createCallCounter(() => clock.now, max)
  const call = (workspaceId: string | null, times = 1) =>
    Array.from({ length: times }, () => counter.add(subjectIn(workspaceId), 'data')).at(-1)
  const take = (most = 100, until = clock.now) =>
    counter.take(most, until).map(({ event }) => [event.workspace_id, event.data.quantity])
  return { clock, counter, call, take }
}

describe('the call counter', () => {
  it('adds up the calls of a workspace and service, and begins again after they were taken', () => {
    const { counter, call, take } = createHarness()
    call('ws_a', 3)
    call('ws_b')
    counter.add(subjectIn('ws_a'), 'ai')
    expect(take()).toEqual([
      ['ws_a', 3],
      ['ws_b', 1],
      ['ws_a', 1],
    ])
    expect(take()).toEqual([])
    call('ws_a')
    expect(take()).toEqual([['ws_a', 1]])
  })

  it('ignores calls without a workspace', () => {
    const { call, take } = createHarness()
    expect(call(null)).toBe(true)
    expect(take()).toEqual([])
  })

  it('returns the counts that wait longest, and none that began after the given time', () => {
    const { clock, call, take } = createHarness()
    call('ws_a')
    clock.now = 2_000
    call('ws_b')
    call('ws_a')
    expect(take(1, 2_000)).toEqual([['ws_a', 2]])
    call('ws_a')
    expect(take(100, 1_999)).toEqual([])
    expect(take(100, 2_000)).toEqual([
      ['ws_b', 1],
      ['ws_a', 1],
    ])
  })

  it('goes on counting known workspaces when it holds the maximum of counts', () => {
    const { call, take } = createHarness(2)
    expect([call('ws_a'), call('ws_b'), call('ws_c'), call('ws_a')]).toEqual([true, true, false, true])
    expect(take()).toEqual([
      ['ws_a', 2],
      ['ws_b', 1],
    ])
  })

  it('dates an event by its first call and gives each an id', () => {
    const { clock, counter, call } = createHarness()
    call('ws_a')
    clock.now = 9_000
    call('ws_a')
    call('ws_b')
    const events = counter.take(2, clock.now).map(({ event }) => event)
    expect(events.map(({ occurred_at }) => Date.parse(occurred_at))).toEqual([1_000, 9_000])
    expect(new Set(events.map(({ id }) => id)).size).toBe(2)
  })
})
