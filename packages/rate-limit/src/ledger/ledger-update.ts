import type { Membership } from '../membership.ts'
import { windowStart } from '../window.ts'
import { reclaimPart } from './inherit.ts'
import { type Ledger, type LedgerPeer, openWindow, peerOf, recompute, unspentOf } from './ledger.ts'
import { needsQuota } from './transfers.ts'

/** The state of a ledger as one edge publishes it. Idempotent: totals, not differences. */
export interface LedgerUpdate {
  key: string
  window: number
  quota: number
  partCount: number
  membershipHash: number
  allotted: number
  spent: number
  /** Requests known to be admitted by all edges, including those that have left. */
  totalSpent: number
  ratePerMinute: number
  /** For each peer, the units given to it and received from it in this window. */
  transfers: readonly (readonly [edge: string, given: number, received: number])[]
}

/** Returns the current state of a ledger to publish. */
export function updateOf(ledger: Ledger): LedgerUpdate {
  const { key, window, quota, partCount, membershipHash, allotted, spent, spentByPeers, ratePerMinute } = ledger
  const transfers = ledger.peers
    .filter(({ given, received }) => given + received > 0)
    .map(({ edge, given, received }) => [edge, given, received] as const)
  const totalSpent = spent + spentByPeers
  return { key, window, quota, partCount, membershipHash, allotted, spent, totalSpent, ratePerMinute, transfers }
}

/**
 * Opens a window that another edge has opened before. If it did so before this edge joined, other edges hold the whole
 * quota and this edge is allotted nothing until one of them transfers units to it.
 */
export function openWindowFrom(
  ledger: Ledger,
  { window, quota, partCount, membershipHash }: LedgerUpdate,
  membership: Membership,
): void {
  openWindow(ledger, window, quota, membership)
  if (membershipHash === membership.hash) return
  const hadJoined = membership.joinedAtMs < windowStart(ledger.hash, window)
  ledger.isInitialMember = hadJoined
  ledger.allotted = hadJoined ? Math.floor(quota / partCount) : 0
  ledger.partCount = partCount
  ledger.membershipHash = membershipHash
  // the other edges assume that this one has a part, and transfer none until they learn that it has not
  ledger.hasUnpublishedChange ||= !hadJoined
  recompute(ledger)
}

/**
 * Applies the update of a peer to a ledger with the same window open.
 *
 * @returns true if the ledger has to be rebalanced or published
 */
export function applyUpdate(
  ledger: Ledger,
  edge: string,
  update: LedgerUpdate,
  nowMs: number,
  { self, all }: Pick<Membership, 'self' | 'all'>,
): boolean {
  const peer = peerOf(ledger, edge)
  if (peer.isInitialMember && peer.isAssumed && peer.allotted > 0 && initialPartOf(update) === 0)
    reclaimPart(ledger, peer, self, all)
  peer.isAssumed = false
  for (const [to, given, received] of update.transfers) {
    if (to !== self) continue
    if (given > peer.received) {
      ledger.allotted += given - peer.received
      peer.received = given
      ledger.hasUnpublishedChange = true
    }
    peer.acknowledged = Math.max(peer.acknowledged, received)
  }
  if (update.membershipHash !== ledger.membershipHash) ledger.mayBeOverAllotted = true
  ledger.spentByPeers = Math.max(ledger.spentByPeers, update.totalSpent - ledger.spent)
  peer.allotted = update.allotted
  peer.spent = Math.max(peer.spent, update.spent)
  peer.ratePerMinute = update.ratePerMinute
  peer.ratedAtMs = nowMs
  recompute(ledger)
  return ledger.hasUnpublishedChange || ledger.mayBeOverAllotted || peerNeedsQuota(peer)
}

/** Returns what an edge was allotted when it opened the window, and inherited since. */
const initialPartOf = ({ allotted, transfers }: LedgerUpdate): number =>
  transfers.reduce((units, [, given, received]) => units + given - received, allotted)

/** Judges by the latest update of the peer; its rate may have decayed since. */
export const peerNeedsQuota = (peer: LedgerPeer): boolean =>
  needsQuota({ unspent: unspentOf(peer), ratePerMinute: peer.ratePerMinute })
