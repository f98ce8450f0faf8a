import type { Membership } from '../membership.ts'
import { hashOf, windowStart } from '../window.ts'
import { splitEvenly } from './apportion.ts'

/**
 * One edge's account of one key in one window. The edge may admit its allotment: an equal part of the quota at first,
 * more when peers transfer units to it, fewer when it transfers units to them. The giver debits a transfer before it
 * publishes it, the receiver credits it when it learns of it, so all allotments never add up to more than the quota,
 * even if messages are late or lost (the escrow of a bounded counter: Balegas et al., "Extending Eventually Consistent
 * Cloud Databases for Enforcing Numeric Invariants", SRDS 2015).
 *
 * Mutable, because there are many and each request changes some. All times are milliseconds since the limiter started.
 */
export interface Ledger {
  readonly key: string
  readonly hash: number
  window: number
  quota: number
  /** Into how many parts the quota was split when the window was opened. */
  partCount: number
  /** Hash of the edges it was split between. */
  membershipHash: number
  /** This edge was one of them. */
  isInitialMember: boolean
  /** Another edge split the window between other edges: the allotments may add up to more than the quota. */
  mayBeOverAllotted: boolean
  /** Requests this edge may admit in the window. */
  allotted: number
  /** Requests this edge has admitted. */
  spent: number
  /** Requests its peers are known to have admitted. */
  spentByPeers: number
  /** Requests are admitted while `spent` is below this limit. */
  admitLimit: number
  /** Requests since the rate was last updated, rejected ones included. */
  demand: number
  ratePerMinute: number
  ratedAtMs: number
  peers: readonly LedgerPeer[]
  /** Waits in the update queue. */
  isQueued: boolean
  /** Its state differs from the last published update. */
  hasUnpublishedChange: boolean
}

/** The latest known account of a peer for the same key and window. */
export interface LedgerPeer {
  readonly edge: string
  isInitialMember: boolean
  /** No update of it has arrived in this window: its allotment is the part this edge expects it to have. */
  isAssumed: boolean
  allotted: number
  spent: number
  ratePerMinute: number
  ratedAtMs: number
  /** Units this edge has transferred to it in this window. */
  given: number
  /** Units of `given` it has acknowledged. */
  acknowledged: number
  /** Units it has transferred to this edge in this window. */
  received: number
}

/** Shared by all ledgers without peers: an edge that is alone has hundreds of thousands of them. */
const noPeers: readonly LedgerPeer[] = []

/** Creates a ledger with no open window. */
export function createLedger(key: string, nowMs: number): Ledger {
  // a single literal: an object assembled from parts takes twice the memory
  return {
    key,
    hash: hashOf(key),
    window: -1,
    quota: 0,
    partCount: 1,
    membershipHash: 0,
    isInitialMember: true,
    mayBeOverAllotted: false,
    allotted: 0,
    spent: 0,
    spentByPeers: 0,
    admitLimit: 0,
    demand: 0,
    ratePerMinute: 0,
    ratedAtMs: nowMs,
    peers: noPeers,
    isQueued: false,
    hasUnpublishedChange: false,
  }
}

/** Returns when the window of a ledger ends, in milliseconds of the common clock. */
export const windowEndOf = ({ hash, window }: Ledger): number => windowStart(hash, window + 1)

/** Opens a window: each edge is allotted an equal part of the quota; the key decides who gets what does not divide. */
export function openWindow(ledger: Ledger, window: number, quota: number, { self, all, hash }: Membership): void {
  const parts = splitEvenly(quota, all.length, ledger.hash)
  const previousPeers = ledger.peers
  ledger.window = window
  ledger.quota = quota
  ledger.partCount = all.length
  ledger.membershipHash = hash
  ledger.isInitialMember = true
  ledger.mayBeOverAllotted = false
  ledger.spent = 0
  ledger.spentByPeers = 0
  ledger.allotted = parts[all.indexOf(self)] ?? 0
  ledger.peers =
    all.length === 1
      ? noPeers
      : all.flatMap((edge, index) => {
          const previous = previousPeers.find((peer) => peer.edge === edge)
          return edge === self ? [] : [createPeer(edge, true, parts[index] ?? 0, previous)]
        })
  recompute(ledger)
}

/** Changes the quota in the middle of a window: the initial part of every edge changes. */
export function changeQuota(ledger: Ledger, quota: number, { self, all }: Membership): void {
  const partOf = (total: number) => splitEvenly(total, all.length, ledger.hash)[all.indexOf(self)] ?? 0
  ledger.allotted += partOf(quota) - partOf(ledger.quota)
  ledger.quota = quota
  recompute(ledger)
}

/** Updates the request rate with the demand since the last update. */
export function updateRate(ledger: Ledger, nowMs: number): void {
  ledger.ratePerMinute = Math.round(addToRate(ledger.ratePerMinute, nowMs - ledger.ratedAtMs, ledger.demand))
  ledger.ratedAtMs = nowMs
  ledger.demand = 0
}

/** Returns the account of a peer, adding an empty one if there is none. */
export function peerOf(ledger: Ledger, edge: string): LedgerPeer {
  const found = ledger.peers.find((peer) => peer.edge === edge)
  if (found !== undefined) return found
  const peer = createPeer(edge, false, 0)
  ledger.peers = [...ledger.peers, peer]
  return peer
}

/** Recomputes the values derived from the allotment and the peers. */
export function recompute(ledger: Ledger): void {
  const known = ledger.peers.reduce((sum, { spent }) => sum + spent, 0)
  ledger.spentByPeers = Math.max(ledger.spentByPeers, known)
  // for a window that may be over-allotted only `rebalance` raises the limit
  const limit = admitLimitOf(ledger)
  ledger.admitLimit = ledger.mayBeOverAllotted ? Math.min(ledger.admitLimit, limit) : limit
}

/** Returns how many requests this edge may admit, as far as it knows. */
export const admitLimitOf = ({ allotted, quota, spentByPeers }: Ledger): number =>
  Math.min(allotted, quota - spentByPeers)

/** Returns the units a peer has left, including transfers to it that it has not acknowledged yet. */
export const unspentOf = ({ allotted, spent, given, acknowledged }: LedgerPeer): number =>
  Math.max(0, allotted - spent + given - acknowledged)

function createPeer(edge: string, isInitialMember: boolean, allotted: number, previous?: LedgerPeer): LedgerPeer {
  const { ratePerMinute = 0, ratedAtMs = 0 } = previous ?? {}
  return {
    edge,
    isInitialMember,
    isAssumed: true,
    allotted,
    spent: 0,
    ratePerMinute,
    ratedAtMs,
    given: 0,
    acknowledged: 0,
    received: 0,
  }
}

/** Time constant of the decay: the last few seconds predict the next ones, a single second is too noisy. */
const timeConstantMs = 3000

/** Returns a rate after `elapsedMs` without a request. */
export const decayRate = (ratePerMinute: number, elapsedMs: number): number =>
  ratePerMinute * Math.exp(-Math.max(0, elapsedMs) / timeConstantMs)

/** Returns the rate in requests per minute after `requests` more; an exponentially weighted moving rate. */
export const addToRate = (ratePerMinute: number, elapsedMs: number, requests: number): number =>
  decayRate(ratePerMinute, elapsedMs) + (requests * 60_000) / timeConstantMs
