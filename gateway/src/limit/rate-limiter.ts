import { LRUCache } from 'lru-cache'
import { windowAt } from './clock.ts'
import {
  applyUpdate,
  changeQuota,
  createLedger,
  type Ledger,
  type LedgerUpdate,
  openWindow,
  openWindowFrom,
  rebalance,
  updateOf,
  updateRate,
  windowEndOf,
} from './ledger.ts'
import type { MembershipTracker } from './membership.ts'

/** One policy a request counts against. */
export interface Policy {
  /** Its name in the headers. */
  name: string
  /** What is counted, for example one credential. */
  key: string
  /** Requests a window. */
  quota: number
}

/** How a policy stands after a request was counted or refused. */
export interface PolicyStatus {
  name: string
  quota: number
  /** At all edges, as far as this one knows. */
  remaining: number
  /** Whole seconds until the window ends. */
  resetSeconds: number
  isExceeded: boolean
  /** Whole seconds until it is worth trying again, where it is exceeded: others may have something to give. */
  retrySeconds: number
}

/** Counts requests in windows of a minute that all edges have in common. */
export interface RateLimiter {
  /** Counts against all policies, or, when one is exceeded, against none. */
  take(policies: readonly Policy[]): PolicyStatus[]
}

/** The same as the exchange between edges sees it. */
export interface SharedRateLimiter extends RateLimiter {
  /**
   * Looks at what was touched since the last time, the longest waiting first, and returns what is new to the others.
   * @param isHeard without it nothing is shared out, for it would be lost
   */
  takeUpdates(most: number, isHeard: boolean): LedgerUpdate[]
  /** Whether something waits to be looked at. */
  readonly hasTouched: boolean
  applyUpdates(edge: string, statements: readonly LedgerUpdate[]): void
  /** Looks at everything, because others came or went. @param isNews whoever comes shall know it all */
  touchAll(isNews: boolean): void
}

/**
 * @param now milliseconds since 1970
 * @param wake is called when something is touched and nothing was before
 * @param entries windows kept at most, the least recently used of which is forgotten
 */
export function createRateLimiter(
  members: MembershipTracker,
  now: () => number,
  wake: () => void = () => undefined,
  entries = 200_000,
): SharedRateLimiter {
  // small numbers are kept in less room
  const startedAt = now()
  const elapsed = () => now() - startedAt
  const ledgers = new LRUCache<string, Ledger>({ max: entries })
  let touched: Ledger[] = []
  const company = () => ({
    self: members.self,
    all: members.all(),
    membershipHash: members.membershipHash,
    joinedAt: members.joinedAt,
  })

  function ledgerOf(key: string): Ledger {
    const found = ledgers.get(key)
    if (found !== undefined) return found
    const created = createLedger(key, elapsed())
    ledgers.set(key, created)
    return created
  }

  function current({ key, quota }: Policy, clock: number): Ledger {
    const ledger = ledgerOf(key)
    if (windowEndOf(ledger) <= clock) openWindow(ledger, windowAt(ledger.hash, clock), quota, company())
    else if (ledger.quota !== quota) changeQuota(ledger, quota, company())
    return ledger
  }

  function touch(ledger: Ledger): void {
    if (ledger.isTouched) return
    ledger.isTouched = true
    touched.push(ledger)
    if (touched.length === 1) wake()
  }

  function count(ledger: Ledger, isTaken: boolean, isExceeded: boolean): void {
    if (isTaken) ledger.spent += 1
    // what another policy refuses is no demand on this one
    if (!members.hasPeers || !(isTaken || isExceeded)) return
    ledger.demand += 1
    ledger.hasUnpublishedChange = true
    touch(ledger)
  }

  return {
    take(policies) {
      const clock = members.clock()
      const found = policies.map((policy) => ({ policy, ledger: current(policy, clock) }))
      const isTaken = found.every(({ ledger }) => ledger.spent < ledger.admitLimit)
      return found.map(({ policy: { name, quota }, ledger }) => {
        const isExceeded = ledger.spent >= ledger.admitLimit
        count(ledger, isTaken, isExceeded)
        const left = Math.max(0, quota - ledger.spent - ledger.spentByOthers)
        const resetSeconds = Math.min(60, Math.max(1, Math.ceil((windowEndOf(ledger) - clock) / 1000)))
        const retrySeconds = left > 0 ? 1 : resetSeconds
        return { name, quota, remaining: isExceeded ? 0 : left, resetSeconds, isExceeded, retrySeconds }
      })
    },
    get hasTouched() {
      return touched.length > 0
    },
    takeUpdates(most, isHeard) {
      const due = touched.slice(0, most)
      touched = touched.slice(most)
      const [clock, time] = [members.clock(), elapsed()]
      const everybody = company()
      const told: LedgerUpdate[] = []
      for (const ledger of due) {
        ledger.isTouched = false
        if (windowEndOf(ledger) <= clock) continue
        updateRate(ledger, time)
        if (!isHeard) continue
        rebalance(ledger, everybody, time)
        if (ledger.hasUnpublishedChange) told.push(updateOf(ledger))
        ledger.hasUnpublishedChange = false
      }
      return told
    },
    applyUpdates(edge, statements) {
      const [clock, time] = [members.clock(), elapsed()]
      for (const statement of statements) {
        const ledger = ledgerOf(statement.key)
        const ahead = statement.window - windowAt(ledger.hash, clock)
        // a window that is over is nobody's business; one that begins a little early at another edge begins here, too
        if (ahead < 0 || ahead > 1 || statement.window < ledger.window) continue
        if (statement.window > ledger.window) openWindowFrom(ledger, statement, company())
        if (applyUpdate(ledger, edge, statement, time, members.self)) touch(ledger)
      }
    },
    touchAll(isNews) {
      const clock = members.clock()
      for (const ledger of ledgers.values()) {
        if (windowEndOf(ledger) <= clock) continue
        ledger.hasUnpublishedChange ||= isNews
        touch(ledger)
      }
    },
  }
}
