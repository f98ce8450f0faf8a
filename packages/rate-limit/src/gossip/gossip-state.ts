import type { LedgerUpdate } from '../ledger/ledger-update.ts'
import {
  createMembership,
  type Membership,
  recordHeartbeatEcho,
  recordPeer,
  rejoin,
  removePeer,
} from '../membership.ts'
import type { Message, Signal } from './message-codec.ts'

/** The state of the gossip at one edge, apart from the ledgers. Immutable. */
export interface GossipState {
  readonly membership: Membership
  /** The broker has not yet delivered the own `join`: what peers publish until then may lack this edge's part. */
  readonly awaitsJoinEcho: boolean
  /** Peers that have published all their counts since this edge joined. */
  readonly syncedPeers: ReadonlySet<string>
  /** A peer has joined and expects `synced` once all counts have been published. */
  readonly owesSynced: boolean
  /** Own heartbeats published since the broker last delivered one. */
  readonly unechoedHeartbeats: number
  readonly hasReportedMalformed: boolean
}

/** An event at this edge. */
export type GossipInput =
  | { kind: 'connected' }
  | { kind: 'heartbeat_due' }
  /** The broker delivered a message of this edge itself. */
  | { kind: 'own_message'; signal: Signal | undefined }
  | { kind: 'peer_message'; message: Message }
  | { kind: 'malformed_message' }
  /** A step has published its updates. */
  | { kind: 'updates_published'; hasQueuedUpdates: boolean }
  | { kind: 'closing' }

/** An action of the edge. Actions run in order. */
export type GossipEffect =
  | { kind: 'publish'; signal: Signal }
  | { kind: 'enqueue_all'; markChanged: boolean }
  | { kind: 'schedule_step' }
  | { kind: 'publish_updates' }
  | { kind: 'apply_updates'; limiter: string; edge: string; updates: readonly LedgerUpdate[] }
  | { kind: 'report_malformed' }

export interface Transition {
  state: GossipState
  effects: readonly GossipEffect[]
}

/** Own heartbeats without an echo after which the connection counts as lost, although the client has not noticed. */
const maxUnechoedHeartbeats = 2

/** Returns the state of an edge that has not joined. */
export const initialGossipState = (self: string, nowMs: number): GossipState => ({
  membership: createMembership(self, nowMs),
  awaitsJoinEcho: false,
  syncedPeers: new Set(),
  owesSynced: false,
  unechoedHeartbeats: 0,
  hasReportedMalformed: false,
})

/** Returns true once every known peer has published its counts after this edge joined. */
export const isSynced = ({ awaitsJoinEcho, membership, syncedPeers }: GossipState): boolean =>
  !awaitsJoinEcho && [...membership.peers.keys()].every((peer) => syncedPeers.has(peer))

/** Returns the next state and the actions to run for an input. @param nowMs milliseconds since 1970 */
export function nextGossipState(state: GossipState, input: GossipInput, nowMs: number): Transition {
  switch (input.kind) {
    case 'connected':
      return onConnected(state, nowMs)
    case 'heartbeat_due': {
      const unechoedHeartbeats = state.unechoedHeartbeats + 1
      return { state: { ...state, unechoedHeartbeats }, effects: [{ kind: 'publish', signal: 'heartbeat' }] }
    }
    case 'own_message':
      return onOwnMessage(state, input.signal, nowMs)
    case 'peer_message':
      return onPeerMessage(state, input.message, nowMs)
    case 'malformed_message':
      if (state.hasReportedMalformed) return { state, effects: [] }
      return { state: { ...state, hasReportedMalformed: true }, effects: [{ kind: 'report_malformed' }] }
    case 'updates_published':
      if (!state.owesSynced || input.hasQueuedUpdates) return { state, effects: [] }
      return { state: { ...state, owesSynced: false }, effects: [{ kind: 'publish', signal: 'synced' }] }
    case 'closing':
      return { state, effects: [{ kind: 'publish', signal: 'leave' }] }
  }
}

/**
 * This edge publishes everything it counts, then joins. Peers reply to `join` with everything they count; by then they
 * know what this edge has been allotted, and have transferred quota to it.
 */
const onConnected = (state: GossipState, nowMs: number): Transition => ({
  state: { ...state, membership: rejoin(state.membership, nowMs), awaitsJoinEcho: true, syncedPeers: new Set() },
  effects: [
    { kind: 'enqueue_all', markChanged: true },
    { kind: 'publish_updates' },
    { kind: 'publish', signal: 'join' },
  ],
})

function onOwnMessage(state: GossipState, signal: Signal | undefined, nowMs: number): Transition {
  if (signal !== 'heartbeat' && signal !== 'join') return { state, effects: [] }
  const wasLost = state.unechoedHeartbeats >= maxUnechoedHeartbeats
  const connected = wasLost ? onConnected(state, nowMs) : { state, effects: [] }
  const before = connected.state.membership
  const membership = signal === 'heartbeat' ? recordHeartbeatEcho(before) : before
  // What was published before the peers knew of the join may lack this edge's part.
  const joined = signal === 'join' && !wasLost ? { awaitsJoinEcho: false, syncedPeers: new Set<string>() } : {}
  return {
    state: { ...connected.state, membership, ...joined, unechoedHeartbeats: 0 },
    effects: [...connected.effects, ...onPeersRemoved(before, membership)],
  }
}

function onPeerMessage(state: GossipState, message: Message, nowMs: number): Transition {
  const { kind, edge, sentAtMs } = message
  if (kind === 'leave') {
    const membership = removePeer(state.membership, edge)
    return { state: { ...state, membership }, effects: onPeersRemoved(state.membership, membership) }
  }
  const hasJoined = kind === 'join' || !state.membership.peers.has(edge)
  const membership = recordPeer(state.membership, edge, sentAtMs, nowMs)
  const syncedPeers = kind === 'synced' ? new Set(state.syncedPeers).add(edge) : state.syncedPeers
  return {
    state: { ...state, membership, syncedPeers, owesSynced: state.owesSynced || hasJoined },
    effects: [...(hasJoined ? welcome : []), ...updatesOf(message)],
  }
}

const updatesOf = (message: Message): readonly GossipEffect[] =>
  message.kind === 'counts'
    ? [{ kind: 'apply_updates', limiter: message.limiter, edge: message.edge, updates: message.updates }]
    : []

const welcome: readonly GossipEffect[] = [
  { kind: 'publish', signal: 'welcome' },
  { kind: 'enqueue_all', markChanged: true },
  { kind: 'schedule_step' },
]

/** The remaining edges inherit what the removed ones had left. */
const onPeersRemoved = (before: Membership, after: Membership): readonly GossipEffect[] =>
  before.peers.size === after.peers.size ? [] : [{ kind: 'enqueue_all', markChanged: false }]
