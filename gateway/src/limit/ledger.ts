import { beginOf, hashOf } from './clock.ts'
import { apportion, faded, gifts, type Holder, isInWant, recent } from './share.ts'

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
  between: number
  /** Whether this edge was one of them. */
  isFounder: boolean
  /** Whether another edge opened the window with others in mind: then more may be held than there is. */
  isMixed: boolean
  /** What this edge may admit in the whole window. */
  held: number
  /** What it has admitted. */
  spent: number
  /** What the others are known to have admitted. */
  spentByOthers: number
  /** How far `spent` may rise. */
  stop: number
  /** Requests since `rate` was computed, refused ones included. */
  wanted: number
  rate: number
  ratedAt: number
  peers: readonly Peer[]
  /** It is to be looked at before long. */
  touched: boolean
  /** There is something the others do not know. */
  changed: boolean
}

/** What is known of another edge. */
interface Peer {
  edge: string
  isFounder: boolean
  held: number
  spent: number
  rate: number
  ratedAt: number
  /** By this edge to it, in this window. */
  given: number
  /** The part of it that it is known to have. */
  arrived: number
  /** By it to this edge. */
  taken: number
}

/** What an edge says of a ledger. */
export interface Statement {
  key: string
  window: number
  quota: number
  parts: number
  between: number
  held: number
  spent: number
  /** What it knows to be admitted by all, edges included that are gone. */
  total: number
  rate: number
  /** Between it and each of the others: what it has given in all, and what it has taken. */
  ties: readonly (readonly [edge: string, given: number, taken: number])[]
}

/** Who shares, and since when this edge does. */
export interface Company {
  self: string
  all: readonly string[]
  /** All of them in one number. */
  between: number
  /** Milliseconds of the common clock. */
  joinedAt: number
}

/** One for all, since most ledgers of an edge that is alone have none. */
const nobody: readonly Peer[] = []

/** A ledger that has yet to be opened. */
export function createLedger(key: string, now: number): Ledger {
  // one literal: an object put together from parts takes twice the room, and there are many of these
  return {
    key,
    hash: hashOf(key),
    window: -1,
    quota: 0,
    parts: 1,
    between: 0,
    isFounder: true,
    isMixed: false,
    held: 0,
    spent: 0,
    spentByOthers: 0,
    stop: 0,
    wanted: 0,
    rate: 0,
    ratedAt: now,
    peers: nobody,
    touched: false,
    changed: false,
  }
}

/** When its window ends, in milliseconds of the common clock. */
export const endOf = ({ hash, window }: Ledger): number => beginOf(hash, window + 1)

/** Begins a window: each edge holds its part of the quota. Who gets what does not divide evenly depends on the key. */
export function open(ledger: Ledger, window: number, quota: number, { self, all, between }: Company): void {
  ledger.window = window
  ledger.quota = quota
  ledger.parts = all.length
  ledger.between = between
  ledger.isFounder = true
  ledger.isMixed = false
  ledger.spent = 0
  ledger.spentByOthers = 0
  const parts = evenly(ledger, quota, all)
  const before = ledger.peers
  ledger.held = parts[all.indexOf(self)] ?? 0
  ledger.peers =
    all.length === 1
      ? nobody
      : all.flatMap((edge, at) => {
          const known = before.find((peer) => peer.edge === edge)
          return edge === self ? [] : [newPeer(edge, true, parts[at] ?? 0, known)]
        })
  reckon(ledger)
}

/**
 * Begins a window another edge has opened. Where it did so before this one came, everything is in other hands: then there
 * is nothing to hold until somebody gives.
 */
export function openAs(ledger: Ledger, { window, quota, parts, between }: Statement, company: Company): void {
  open(ledger, window, quota, company)
  if (between === company.between) return
  const wasThere = company.joinedAt < beginOf(ledger.hash, window)
  ledger.isFounder = wasThere
  ledger.held = wasThere ? Math.floor(quota / parts) : 0
  ledger.parts = parts
  ledger.between = between
  reckon(ledger)
}

/** The quota was changed in mid-window: everybody's first part changes. */
export function changeQuota(ledger: Ledger, quota: number, { self, all }: Company): void {
  const partOf = (whole: number) => evenly(ledger, whole, all)[all.indexOf(self)] ?? 0
  ledger.held += partOf(quota) - partOf(ledger.quota)
  ledger.quota = quota
  reckon(ledger)
}

/** Takes what another edge says of the same window. @returns whether there is something to do or to say about it */
export function hear(ledger: Ledger, edge: string, statement: Statement, now: number, self: string): boolean {
  const peer = peerOf(ledger, edge)
  for (const [to, given, taken] of statement.ties) {
    if (to !== self) continue
    if (given > peer.taken) {
      ledger.held += given - peer.taken
      peer.taken = given
      ledger.changed = true
    }
    peer.arrived = Math.max(peer.arrived, taken)
  }
  if (statement.between !== ledger.between) ledger.isMixed = true
  ledger.spentByOthers = Math.max(ledger.spentByOthers, statement.total - ledger.spent)
  peer.held = statement.held
  peer.spent = Math.max(peer.spent, statement.spent)
  peer.rate = statement.rate
  peer.ratedAt = now
  reckon(ledger)
  return ledger.changed || ledger.isMixed || isLacking(peer)
}

/** Takes what was wanted since the last time into the rate. */
export function measure(ledger: Ledger, now: number): void {
  ledger.rate = Math.round(recent(ledger.rate, now - ledger.ratedAt, ledger.wanted))
  ledger.ratedAt = now
  ledger.wanted = 0
}

/** Takes over the part of what the dead have left, and gives to those in want. */
export function settle(ledger: Ledger, { self, all }: Company, now: number): void {
  if (ledger.peers.length !== all.length - 1 || ledger.peers.some(({ edge }) => !all.includes(edge))) {
    for (const peer of ledger.peers) if (!all.includes(peer.edge)) inherit(ledger, peer, self, all)
    for (const edge of all) if (edge !== self) peerOf(ledger, edge)
  }
  if (ledger.isMixed || ledger.peers.some(isLacking)) shareOut(ledger, self, all, now)
  else ledger.stop = stopOf(ledger)
}

/** Gives to those in want what is theirs of what remains. */
function shareOut(ledger: Ledger, self: string, all: readonly string[], now: number): void {
  // in the order that all agree on, so that all come to the same parts
  const peers = all.map((edge) => (edge === self ? undefined : peerOf(ledger, edge)))
  const own = { unspent: Math.max(0, ledger.held - ledger.spent), rate: ledger.rate }
  const holders = peers.map((peer) =>
    peer === undefined ? own : { unspent: unspentOf(peer), rate: faded(peer.rate, now - peer.ratedAt) },
  )
  const place = all.indexOf(self)
  const given = gifts(holders, place, ledger.hash)
  for (const [at, peer] of peers.entries()) {
    const units = given[at] ?? 0
    if (peer === undefined || units === 0) continue
    peer.given += units
    ledger.held -= units
    ledger.changed = true
  }
  ledger.stop = stopOf(ledger)
  if (ledger.isMixed) keepToPart(ledger, holders, place)
}

/** What to tell the others. */
export function stateOf(ledger: Ledger): Statement {
  const { key, window, quota, parts, between, held, spent, spentByOthers, rate, peers } = ledger
  const ties = peers
    .filter(({ given, taken }) => given + taken > 0)
    .map((peer) => [peer.edge, peer.given, peer.taken] as const)
  return { key, window, quota, parts, between, held, spent, total: spent + spentByOthers, rate, ties }
}

/** Where more is held than remains, each may for now admit a part of what remains, in proportion to what it holds. */
function keepToPart(ledger: Ledger, holders: readonly Holder[], at: number): void {
  const remaining = Math.max(0, ledger.quota - ledger.spent - ledger.spentByOthers)
  const unspent = holders.map((holder) => holder.unspent)
  if (unspent.reduce((sum, units) => sum + units, 0) <= remaining) return
  ledger.stop = Math.min(ledger.stop, ledger.spent + (apportion(remaining, unspent, ledger.hash)[at] ?? 0))
}

/**
 * What the dead had left is shared evenly by the founders who live, for all of them heard the same of it; by everybody,
 * where none does. An heir may be dead, too, without anybody knowing: then its part is inherited in its turn.
 */
function inherit(ledger: Ledger, dead: Peer, self: string, all: readonly string[]): void {
  const left = unspentOf(dead)
  if (left === 0) return
  dead.held -= left
  const isFounder = (edge: string) =>
    edge === self ? ledger.isFounder : ledger.peers.some((peer) => peer.edge === edge && peer.isFounder)
  const founders = all.filter(isFounder)
  const heirs = founders.length > 0 ? founders : all
  for (const [at, units] of evenly(ledger, left, heirs).entries()) {
    const heir = heirs[at] ?? self
    if (heir === self) ledger.held += units
    else peerOf(ledger, heir).held += units
  }
  ledger.changed ||= heirs.includes(self)
}

const unspentOf = ({ held, spent, given, arrived }: Peer): number => Math.max(0, held - spent + given - arrived)

/** As it spoke last: its requests may have become fewer. */
const isLacking = (peer: Peer): boolean => isInWant({ unspent: unspentOf(peer), rate: peer.rate })

const evenly = ({ hash }: Ledger, units: number, all: readonly string[]): number[] =>
  apportion(units, Array<number>(all.length).fill(1), hash)

const newPeer = (edge: string, isFounder: boolean, held: number, before?: Peer): Peer => {
  const { rate = 0, ratedAt = 0 } = before ?? {}
  return { edge, isFounder, held, spent: 0, rate, ratedAt, given: 0, arrived: 0, taken: 0 }
}

function peerOf(ledger: Ledger, edge: string): Peer {
  const found = ledger.peers.find((peer) => peer.edge === edge)
  if (found !== undefined) return found
  const peer = newPeer(edge, false, 0)
  ledger.peers = [...ledger.peers, peer]
  return peer
}

function reckon(ledger: Ledger): void {
  const known = ledger.peers.reduce((sum, { spent }) => sum + spent, 0)
  ledger.spentByOthers = Math.max(ledger.spentByOthers, known)
  // what a mixed window may admit is said where it is settled; until then it is no more than it was
  ledger.stop = ledger.isMixed ? Math.min(ledger.stop, stopOf(ledger)) : stopOf(ledger)
}

const stopOf = ({ held, quota, spentByOthers }: Ledger): number => Math.min(held, quota - spentByOthers)
