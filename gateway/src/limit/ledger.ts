import { hashOf, windowStart } from './clock.ts'
import { addToRate, apportion, decay, needsQuota, planTransfers, type QuotaShare } from './transfers.ts'

/**
 * What one edge keeps of one key in one window. An edge may admit what it holds: a part of the quota at first, more when
 * others give it some, less when it gives. What is given is counted off before it is said and counted on when it is heard,
 * so all that is held never comes to more than the quota, however late messages are, or lost.
 */
export interface Ledger {
  readonly key: string
  readonly hash: number
  window: number
  quota: number
  /** In how many parts the quota was split when the window was opened, and between whom. */
  parts: number
  membershipHash: number
  /** Whether this edge was one of them. */
  isFounder: boolean
  /** Whether another edge opened the window with others in mind: then more may be held than there is. */
  isContested: boolean
  /** What this edge may admit in the whole window. */
  allotted: number
  /** What it has admitted. */
  spent: number
  /** What the others are known to have admitted. */
  spentByOthers: number
  /** How far `spent` may rise. */
  admitLimit: number
  /** Requests since `rate` was computed, refused ones included. */
  demand: number
  rate: number
  ratedAt: number
  peers: readonly Peer[]
  /** It is to be looked at before long. */
  isTouched: boolean
  /** There is something the others do not know. */
  hasUnpublishedChange: boolean
}

/** What is known of another edge. */
interface Peer {
  edge: string
  isFounder: boolean
  allotted: number
  spent: number
  rate: number
  ratedAt: number
  /** By this edge to it, in this window. */
  given: number
  /** The part of it that it is known to have. */
  acknowledged: number
  /** By it to this edge. */
  received: number
}

/** What an edge says of a ledger. */
export interface LedgerUpdate {
  key: string
  window: number
  quota: number
  parts: number
  membershipHash: number
  allotted: number
  spent: number
  /** What it knows to be admitted by all, edges included that are gone. */
  total: number
  rate: number
  /** Between it and each of the others: what it has given in all, and what it has taken. */
  transfers: readonly (readonly [edge: string, given: number, taken: number])[]
}

/** Who shares, and since when this edge does. */
export interface Membership {
  self: string
  all: readonly string[]
  /** All of them in one number. */
  membershipHash: number
  /** Milliseconds of the common clock. */
  joinedAt: number
}

/** One for all, since most ledgers of an edge that is alone have none. */
const noPeers: readonly Peer[] = []

/** A ledger that has yet to be opened. */
export function createLedger(key: string, now: number): Ledger {
  // one literal: an object put together from parts takes twice the room, and there are many of these
  return {
    key,
    hash: hashOf(key),
    window: -1,
    quota: 0,
    parts: 1,
    membershipHash: 0,
    isFounder: true,
    isContested: false,
    allotted: 0,
    spent: 0,
    spentByOthers: 0,
    admitLimit: 0,
    demand: 0,
    rate: 0,
    ratedAt: now,
    peers: noPeers,
    isTouched: false,
    hasUnpublishedChange: false,
  }
}

/** When its window ends, in milliseconds of the common clock. */
export const windowEndOf = ({ hash, window }: Ledger): number => windowStart(hash, window + 1)

/** Begins a window: each edge holds its part of the quota. Who gets what does not divide evenly depends on the key. */
export function openWindow(
  ledger: Ledger,
  window: number,
  quota: number,
  { self, all, membershipHash: between }: Membership,
): void {
  ledger.window = window
  ledger.quota = quota
  ledger.parts = all.length
  ledger.membershipHash = between
  ledger.isFounder = true
  ledger.isContested = false
  ledger.spent = 0
  ledger.spentByOthers = 0
  const parts = splitEvenly(ledger, quota, all)
  const before = ledger.peers
  ledger.allotted = parts[all.indexOf(self)] ?? 0
  ledger.peers =
    all.length === 1
      ? noPeers
      : all.flatMap((edge, at) => {
          const known = before.find((peer) => peer.edge === edge)
          return edge === self ? [] : [newPeer(edge, true, parts[at] ?? 0, known)]
        })
  recompute(ledger)
}

/**
 * Begins a window another edge has opened. Where it did so before this one came, everything is in other hands: then there
 * is nothing to hold until somebody gives.
 */
export function openWindowFrom(
  ledger: Ledger,
  { window, quota, parts, membershipHash: between }: LedgerUpdate,
  company: Membership,
): void {
  openWindow(ledger, window, quota, company)
  if (between === company.membershipHash) return
  const wasThere = company.joinedAt < windowStart(ledger.hash, window)
  ledger.isFounder = wasThere
  ledger.allotted = wasThere ? Math.floor(quota / parts) : 0
  ledger.parts = parts
  ledger.membershipHash = between
  recompute(ledger)
}

/** The quota was changed in mid-window: everybody's first part changes. */
export function changeQuota(ledger: Ledger, quota: number, { self, all }: Membership): void {
  const partOf = (whole: number) => splitEvenly(ledger, whole, all)[all.indexOf(self)] ?? 0
  ledger.allotted += partOf(quota) - partOf(ledger.quota)
  ledger.quota = quota
  recompute(ledger)
}

/** Takes what another edge says of the same window. @returns whether there is something to do or to say about it */
export function applyUpdate(ledger: Ledger, edge: string, statement: LedgerUpdate, now: number, self: string): boolean {
  const peer = peerOf(ledger, edge)
  for (const [to, given, taken] of statement.transfers) {
    if (to !== self) continue
    if (given > peer.received) {
      ledger.allotted += given - peer.received
      peer.received = given
      ledger.hasUnpublishedChange = true
    }
    peer.acknowledged = Math.max(peer.acknowledged, taken)
  }
  if (statement.membershipHash !== ledger.membershipHash) ledger.isContested = true
  ledger.spentByOthers = Math.max(ledger.spentByOthers, statement.total - ledger.spent)
  peer.allotted = statement.allotted
  peer.spent = Math.max(peer.spent, statement.spent)
  peer.rate = statement.rate
  peer.ratedAt = now
  recompute(ledger)
  return ledger.hasUnpublishedChange || ledger.isContested || peerNeedsQuota(peer)
}

/** Takes what was wanted since the last time into the rate. */
export function updateRate(ledger: Ledger, now: number): void {
  ledger.rate = Math.round(addToRate(ledger.rate, now - ledger.ratedAt, ledger.demand))
  ledger.ratedAt = now
  ledger.demand = 0
}

/** Takes over the part of what the dead have left, and gives to those in want. */
export function rebalance(ledger: Ledger, { self, all }: Membership, now: number): void {
  if (ledger.peers.length !== all.length - 1 || ledger.peers.some(({ edge }) => !all.includes(edge))) {
    for (const peer of ledger.peers) if (!all.includes(peer.edge)) inherit(ledger, peer, self, all)
    for (const edge of all) if (edge !== self) peerOf(ledger, edge)
  }
  if (ledger.isContested || ledger.peers.some(peerNeedsQuota)) transferQuota(ledger, self, all, now)
  else ledger.admitLimit = admitLimitOf(ledger)
}

/** Gives to those in want what is theirs of what remains. */
function transferQuota(ledger: Ledger, self: string, all: readonly string[], now: number): void {
  // in the order that all agree on, so that all come to the same parts
  const peers = all.map((edge) => (edge === self ? undefined : peerOf(ledger, edge)))
  const own = { unspent: Math.max(0, ledger.allotted - ledger.spent), rate: ledger.rate }
  const holders = peers.map((peer) =>
    peer === undefined ? own : { unspent: unspentOf(peer), rate: decay(peer.rate, now - peer.ratedAt) },
  )
  const ownIndex = all.indexOf(self)
  const given = planTransfers(holders, ownIndex, ledger.hash)
  for (const [at, peer] of peers.entries()) {
    const units = given[at] ?? 0
    if (peer === undefined || units === 0) continue
    peer.given += units
    ledger.allotted -= units
    ledger.hasUnpublishedChange = true
  }
  ledger.admitLimit = admitLimitOf(ledger)
  if (ledger.isContested) limitToShare(ledger, holders, ownIndex)
}

/** What to tell the others. */
export function updateOf(ledger: Ledger): LedgerUpdate {
  const {
    key,
    window,
    quota,
    parts,
    membershipHash: between,
    allotted: held,
    spent,
    spentByOthers,
    rate,
    peers,
  } = ledger
  const ties = peers
    .filter(({ given, received: taken }) => given + taken > 0)
    .map((peer) => [peer.edge, peer.given, peer.received] as const)
  return {
    key,
    window,
    quota,
    parts,
    membershipHash: between,
    allotted: held,
    spent,
    total: spent + spentByOthers,
    rate,
    transfers: ties,
  }
}

/** Where more is held than remains, each may for now admit a part of what remains, in proportion to what it holds. */
function limitToShare(ledger: Ledger, holders: readonly QuotaShare[], at: number): void {
  const remaining = Math.max(0, ledger.quota - ledger.spent - ledger.spentByOthers)
  const unspent = holders.map((holder) => holder.unspent)
  if (unspent.reduce((sum, units) => sum + units, 0) <= remaining) return
  ledger.admitLimit = Math.min(ledger.admitLimit, ledger.spent + (apportion(remaining, unspent, ledger.hash)[at] ?? 0))
}

/**
 * What the dead had left is shared evenly by the founders who live, for all of them heard the same of it; by everybody,
 * where none does. An heir may be dead, too, without anybody knowing: then its part is inherited in its turn.
 */
function inherit(ledger: Ledger, dead: Peer, self: string, all: readonly string[]): void {
  const left = unspentOf(dead)
  if (left === 0) return
  dead.allotted -= left
  const isFounder = (edge: string) =>
    edge === self ? ledger.isFounder : ledger.peers.some((peer) => peer.edge === edge && peer.isFounder)
  const founders = all.filter(isFounder)
  const heirs = founders.length > 0 ? founders : all
  for (const [at, units] of splitEvenly(ledger, left, heirs).entries()) {
    const heir = heirs[at] ?? self
    if (heir === self) ledger.allotted += units
    else peerOf(ledger, heir).allotted += units
  }
  ledger.hasUnpublishedChange ||= heirs.includes(self)
}

const unspentOf = ({ allotted: held, spent, given, acknowledged: arrived }: Peer): number =>
  Math.max(0, held - spent + given - arrived)

/** As it spoke last: its requests may have become fewer. */
const peerNeedsQuota = (peer: Peer): boolean => needsQuota({ unspent: unspentOf(peer), rate: peer.rate })

const splitEvenly = ({ hash }: Ledger, units: number, all: readonly string[]): number[] =>
  apportion(units, Array<number>(all.length).fill(1), hash)

const newPeer = (edge: string, isFounder: boolean, held: number, before?: Peer): Peer => {
  const { rate = 0, ratedAt = 0 } = before ?? {}
  return { edge, isFounder, allotted: held, spent: 0, rate, ratedAt, given: 0, acknowledged: 0, received: 0 }
}

function peerOf(ledger: Ledger, edge: string): Peer {
  const found = ledger.peers.find((peer) => peer.edge === edge)
  if (found !== undefined) return found
  const peer = newPeer(edge, false, 0)
  ledger.peers = [...ledger.peers, peer]
  return peer
}

function recompute(ledger: Ledger): void {
  const known = ledger.peers.reduce((sum, { spent }) => sum + spent, 0)
  ledger.spentByOthers = Math.max(ledger.spentByOthers, known)
  // what a mixed window may admit is said where it is settled; until then it is no more than it was
  ledger.admitLimit = ledger.isContested ? Math.min(ledger.admitLimit, admitLimitOf(ledger)) : admitLimitOf(ledger)
}

const admitLimitOf = ({ allotted: held, quota, spentByOthers }: Ledger): number => Math.min(held, quota - spentByOthers)
