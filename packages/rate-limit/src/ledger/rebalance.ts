import type { Membership } from '../membership.ts'
import { apportion } from './apportion.ts'
import { inherit } from './inherit.ts'
import { admitLimitOf, decayRate, type Ledger, type LedgerPeer, peerOf, unspentOf } from './ledger.ts'
import { peerNeedsQuota } from './ledger-update.ts'
import { planTransfers, type QuotaShare } from './transfers.ts'

/** Takes over part of what removed peers had left, and transfers units to peers that need quota. */
export function rebalance(ledger: Ledger, { self, all }: Membership, nowMs: number): void {
  if (ledger.peers.length !== all.length - 1 || ledger.peers.some(({ edge }) => !all.includes(edge))) {
    for (const peer of ledger.peers) if (!all.includes(peer.edge)) inherit(ledger, peer, self, all)
    for (const edge of all) if (edge !== self) peerOf(ledger, edge)
  }
  if (ledger.mayBeOverAllotted || ledger.peers.some(peerNeedsQuota)) transferQuota(ledger, self, all, nowMs)
  else ledger.admitLimit = admitLimitOf(ledger)
}

function transferQuota(ledger: Ledger, self: string, all: readonly string[], nowMs: number): void {
  // in the order of `all`, on which all edges agree, so that their plans add up
  const peers = all.map((edge) => (edge === self ? undefined : peerOf(ledger, edge)))
  const own = { unspent: Math.max(0, ledger.allotted - ledger.spent), ratePerMinute: ledger.ratePerMinute }
  const shares = peers.map((peer) => (peer === undefined ? own : shareOf(peer, nowMs)))
  const ownIndex = all.indexOf(self)
  for (const [index, units] of planTransfers(shares, ownIndex, ledger.hash).entries()) {
    const peer = peers[index]
    if (peer === undefined || units === 0) continue
    peer.given += units
    ledger.allotted -= units
    ledger.hasUnpublishedChange = true
  }
  ledger.admitLimit = admitLimitOf(ledger)
  if (ledger.mayBeOverAllotted) capAtShare(ledger, shares, ownIndex)
}

const shareOf = (peer: LedgerPeer, nowMs: number): QuotaShare => ({
  unspent: unspentOf(peer),
  ratePerMinute: decayRate(peer.ratePerMinute, nowMs - peer.ratedAtMs),
})

/**
 * Caps the admit limit where more is allotted than remains: at a part of what remains, in proportion to the allotments.
 */
function capAtShare(ledger: Ledger, shares: readonly QuotaShare[], ownIndex: number): void {
  const remaining = Math.max(0, ledger.quota - ledger.spent - ledger.spentByPeers)
  const unspent = shares.map((share) => share.unspent)
  if (unspent.reduce((sum, units) => sum + units, 0) <= remaining) return
  const part = apportion(remaining, unspent, ledger.hash)[ownIndex] ?? 0
  ledger.admitLimit = Math.min(ledger.admitLimit, ledger.spent + part)
}
