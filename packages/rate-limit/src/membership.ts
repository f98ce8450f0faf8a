import { hashOf } from './window.ts'

/** The live edges as one of them knows them, and their common clock. Immutable. */
export interface Membership {
  readonly self: string
  /** Ids of all live edges, this one included, sorted. */
  readonly all: readonly string[]
  /** Hash of `all`: two edges with the same hash know the same edges. */
  readonly hash: number
  /** Milliseconds to add to the local clock to get the common clock. */
  readonly correctionMs: number
  /** Time this edge last joined or rejoined, in milliseconds of the common clock. */
  readonly joinedAtMs: number
  readonly peers: ReadonlyMap<string, PeerState>
}

interface PeerState {
  /** For each of its latest messages, the milliseconds its clock was ahead of the local one when it arrived. */
  readonly aheadMs: readonly number[]
  /** Own heartbeats echoed since its last message. */
  readonly missedHeartbeats: number
}

/** Own heartbeats that are echoed without a message from a peer before the peer counts as dead. */
const maxMissedHeartbeats = 4

/** Of this many messages of a peer, the one with the shortest delay determines how far its clock is ahead. */
const maxClockSamples = 8

/** Creates the membership of an edge that knows no other. @param nowMs local time in milliseconds since 1970 */
export const createMembership = (self: string, nowMs: number): Membership =>
  withPeers({ self, correctionMs: 0, joinedAtMs: nowMs }, new Map())

export const hasPeers = ({ peers }: Membership): boolean => peers.size > 0

/** Returns the common clock at a local time. */
export const commonClock = ({ correctionMs }: Membership, nowMs: number): number => nowMs + correctionMs

/** Records a message of a peer, which proves that it is alive. @param sentAtMs its clock when it sent the message */
export function recordPeer(membership: Membership, peer: string, sentAtMs: number, nowMs: number): Membership {
  const samples = membership.peers.get(peer)?.aheadMs ?? []
  const aheadMs = [sentAtMs - nowMs, ...samples].slice(0, maxClockSamples)
  return withPeers(membership, new Map(membership.peers).set(peer, { aheadMs, missedHeartbeats: 0 }))
}

/** Removes a peer. Returns the same object if it was unknown. */
export function removePeer(membership: Membership, peer: string): Membership {
  if (!membership.peers.has(peer)) return membership
  const peers = new Map(membership.peers)
  peers.delete(peer)
  return withPeers(membership, peers)
}

/**
 * Records that the broker has delivered one of this edge's own heartbeats. Messages of live peers would have been
 * delivered too, so a peer that stays silent for several of them is removed. While the broker is unavailable no
 * heartbeat returns and no peer is removed.
 */
export function recordHeartbeatEcho(membership: Membership): Membership {
  const peers = [...membership.peers]
    .map(([peer, state]) => [peer, { ...state, missedHeartbeats: state.missedHeartbeats + 1 }] as const)
    .filter(([, { missedHeartbeats }]) => missedHeartbeats < maxMissedHeartbeats)
  return withPeers(membership, new Map(peers))
}

/** Records that this edge joins, or rejoins after the broker was unavailable. */
export const rejoin = (membership: Membership, nowMs: number): Membership => ({
  ...membership,
  joinedAtMs: commonClock(membership, nowMs),
})

function withPeers(
  { self, correctionMs: previousMs, joinedAtMs }: Pick<Membership, 'self' | 'correctionMs' | 'joinedAtMs'>,
  peers: ReadonlyMap<string, PeerState>,
): Membership {
  const all = [self, ...peers.keys()].sort()
  const correctionMs = clockCorrectionMs([...peers.values()].map(({ aheadMs }) => Math.max(...aheadMs)))
  return {
    self,
    all,
    hash: hashOf(all.join()),
    correctionMs,
    joinedAtMs: joinedAtMs - previousMs + correctionMs,
    peers,
  }
}

/**
 * Returns the milliseconds to add to the local clock to get the common clock, the median of the clocks of all edges.
 * Every edge computes it from how far the other clocks are ahead of its own, and all arrive at the same time. With
 * three edges, one clock that is half a minute off has no effect; two edges meet half-way.
 *
 * @param aheadMs for each peer, how far its clock is ahead of the local clock, in milliseconds
 */
export function clockCorrectionMs(aheadMs: readonly number[]): number {
  const sorted = [0, ...aheadMs].sort((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2
}
