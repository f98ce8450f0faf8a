import { describe, expect, it } from '@jest/globals'
import { type GossipInput, initialGossipState, isSynced, nextGossipState } from '../../src/gossip/gossip-state.ts'
import type { Message, Signal } from '../../src/gossip/message-codec.ts'

const now = 1_800_000_000_000
const from = (edge: string, kind: Signal): GossipInput => ({
  kind: 'peer_message',
  message: { kind, edge, sentAtMs: now },
})
const ownHeartbeat: GossipInput = { kind: 'own_message', signal: 'heartbeat' }
const ownJoin: GossipInput = { kind: 'own_message', signal: 'join' }

/** Applies inputs in order. Returns the last state and the effects of the last input. */
function apply(...inputs: readonly GossipInput[]) {
  let state = initialGossipState('self', now)
  let effects: ReturnType<typeof nextGossipState>['effects'] = []
  for (const input of inputs) ({ state, effects } = nextGossipState(state, input, now))
  return { state, effects }
}

const publish = (signal: Signal) => ({ kind: 'publish', signal })
const enqueueAll = (markChanged: boolean) => ({ kind: 'enqueue_all', markChanged })
const rejoining = [enqueueAll(true), { kind: 'publish_updates' }, publish('join')]

describe('nextGossipState', () => {
  it('publishes all counts and then joins when the broker is connected', () => {
    expect(apply({ kind: 'connected' }).effects).toEqual(rejoining)
  })

  it.each(['join', 'heartbeat', 'welcome'] as const)('welcomes an unknown peer when it sends %s', (signal) => {
    const { state, effects } = apply(from('peer', signal))
    expect(effects).toEqual([publish('welcome'), enqueueAll(true), { kind: 'schedule_step' }])
    expect(state.membership.all).toEqual(['peer', 'self'])
  })

  it('welcomes a known peer again only when it rejoins', () => {
    expect(apply(from('peer', 'join'), from('peer', 'heartbeat')).effects).toEqual([])
    expect(apply(from('peer', 'join'), from('peer', 'join')).effects).toHaveLength(3)
  })

  it('publishes synced once everything is published after a peer joined', () => {
    const published = (hasQueuedUpdates: boolean): GossipInput => ({ kind: 'updates_published', hasQueuedUpdates })
    expect(apply(published(false)).effects).toEqual([])
    expect(apply(from('peer', 'join'), published(true)).effects).toEqual([])
    expect(apply(from('peer', 'join'), published(true), published(false)).effects).toEqual([publish('synced')])
    expect(apply(from('peer', 'join'), published(false), published(false)).effects).toEqual([])
  })

  it('is synced when every known peer has published its counts', () => {
    expect(isSynced(apply(from('a', 'welcome'), from('b', 'welcome'), from('a', 'synced')).state)).toBe(false)
    expect(isSynced(apply(from('a', 'synced'), from('b', 'synced')).state)).toBe(true)
  })

  it('is no longer synced when it joins again, until peers publish their counts after its own join has arrived', () => {
    const [synced, connected] = [from('a', 'synced'), { kind: 'connected' } as const]
    expect(isSynced(apply(synced, connected).state)).toBe(false)
    expect(isSynced(apply(synced, connected, synced).state)).toBe(false)
    expect(isSynced(apply(synced, connected, synced, ownHeartbeat).state)).toBe(false)
    expect(isSynced(apply(synced, connected, synced, ownJoin).state)).toBe(false)
    expect(isSynced(apply(synced, connected, ownJoin, synced).state)).toBe(true)
  })

  it('applies the counts of a peer', () => {
    const message: Message = { kind: 'counts', edge: 'peer', sentAtMs: now, limiter: 'requests', updates: [] }
    const { effects } = apply(from('peer', 'join'), { kind: 'peer_message', message })
    expect(effects).toEqual([{ kind: 'apply_updates', limiter: 'requests', edge: 'peer', updates: [] }])
  })

  it('inherits when a peer leaves, and ignores an unknown one that leaves', () => {
    expect(apply(from('peer', 'join'), from('peer', 'leave')).effects).toEqual([enqueueAll(false)])
    expect(apply(from('peer', 'leave')).effects).toEqual([])
  })

  it('inherits when a peer is silent while four own heartbeats are delivered', () => {
    const echoes = (count: number) => Array<GossipInput>(count).fill(ownHeartbeat)
    expect(apply(from('peer', 'join'), ...echoes(3)).effects).toEqual([])
    const { state, effects } = apply(from('peer', 'join'), ...echoes(4))
    expect(effects).toEqual([enqueueAll(false)])
    expect(state.membership.all).toEqual(['self'])
  })

  it('rejoins when heartbeats return after two were lost', () => {
    const heartbeat: GossipInput = { kind: 'heartbeat_due' }
    expect(apply(heartbeat).effects).toEqual([publish('heartbeat')])
    expect(apply(heartbeat, ownHeartbeat).effects).toEqual([])
    expect(apply(heartbeat, heartbeat, ownHeartbeat).effects).toEqual(rejoining)
    expect(apply(heartbeat, heartbeat, ownHeartbeat, ownHeartbeat).effects).toEqual([])
  })

  it('reports the first malformed message only', () => {
    const malformed: GossipInput = { kind: 'malformed_message' }
    expect(apply(malformed).effects).toEqual([{ kind: 'report_malformed' }])
    expect(apply(malformed, malformed).effects).toEqual([])
  })

  it('says that it leaves when it closes', () => {
    expect(apply({ kind: 'closing' }).effects).toEqual([publish('leave')])
  })
})
