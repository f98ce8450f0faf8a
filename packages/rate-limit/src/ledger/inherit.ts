import { splitEvenly } from './apportion.ts'
import { type Ledger, type LedgerPeer, peerOf, unspentOf } from './ledger.ts'

/**
 * Splits what a removed peer had left evenly between the live initial members, which all know the same of it, or
 * between all edges if no initial member is left. An heir may itself be dead and not detected yet; its part is
 * inherited later.
 */
export function inherit(ledger: Ledger, removed: LedgerPeer, self: string, all: readonly string[]): void {
  const units = unspentOf(removed)
  if (units === 0) return
  removed.allotted -= units
  splitBetweenHeirs(ledger, units, self, all)
}

/**
 * Splits the part that a peer was expected to have, and does not have, as if the peer had been removed. The peer joined
 * after the window had started, and before this edge opened it.
 */
export function reclaimPart(ledger: Ledger, peer: LedgerPeer, self: string, all: readonly string[]): void {
  const units = peer.allotted
  peer.isInitialMember = false
  peer.allotted = 0
  splitBetweenHeirs(ledger, units, self, all)
}

function splitBetweenHeirs(ledger: Ledger, units: number, self: string, all: readonly string[]): void {
  const isInitialMember = (edge: string) =>
    edge === self ? ledger.isInitialMember : ledger.peers.some((peer) => peer.edge === edge && peer.isInitialMember)
  const initialMembers = all.filter(isInitialMember)
  const heirs = initialMembers.length > 0 ? initialMembers : all
  for (const [index, part] of splitEvenly(units, heirs.length, ledger.hash).entries()) {
    const heir = heirs[index] ?? self
    if (heir === self) ledger.allotted += part
    else peerOf(ledger, heir).allotted += part
  }
  ledger.hasUnpublishedChange ||= heirs.includes(self)
}
