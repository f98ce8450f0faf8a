import { type Ledger, updateRate, windowEndOf } from './ledger/ledger.ts'
import { createLedgerTable } from './ledger/ledger-table.ts'
import { applyUpdate, type LedgerUpdate, openWindowFrom, updateOf } from './ledger/ledger-update.ts'
import { rebalance } from './ledger/rebalance.ts'
import { commonClock, hasPeers, type Membership } from './membership.ts'
import { windowAt } from './window.ts'

/** A quota that a request counts against. */
export interface Policy {
  /** Its name in the response headers. */
  name: string
  /** Identifies what is counted, for example one credential. */
  key: string
  /** Requests per window. */
  quota: number
}

/** The state of a policy after a request was admitted or rejected. */
export interface PolicyStatus {
  name: string
  quota: number
  /** Requests left at all edges, as far as this edge knows. */
  remaining: number
  /** Whole seconds until the window ends. */
  resetSeconds: number
  isExceeded: boolean
  /** If exceeded, whole seconds until a retry can succeed: one if peers have quota left that they may transfer. */
  retrySeconds: number
}

/** Counts requests in windows of a minute that all edges share. */
export interface RateLimiter {
  /**
   * Admits a request and counts it against every policy, or, if one is exceeded, rejects it and counts against none.
   */
  take(policies: readonly Policy[]): PolicyStatus[]
  /**
   * Returns the state of policies without counting the request. An exceeded policy counts as demand, so that peers
   * transfer quota.
   */
  check(policies: readonly Policy[]): PolicyStatus[]
}

/** The rate limiter as the gossip between edges uses it. */
export interface SharedRateLimiter extends RateLimiter {
  /**
   * Rebalances the ledgers that have waited longest and returns those with unpublished changes.
   *
   * @param isConnected without the broker no units are transferred and nothing is returned: it would be lost
   */
  takeUpdates(max: number, isConnected: boolean): LedgerUpdate[]
  readonly hasQueuedUpdates: boolean
  applyUpdates(edge: string, updates: readonly LedgerUpdate[]): void
  /** Queues every ledger with an open window, because the membership changed. @param markChanged publish all of them */
  enqueueAll(markChanged: boolean): void
}

export interface RateLimiterOptions {
  membership: () => Membership
  /** Milliseconds since 1970. */
  now: () => number
  /** Called when a ledger is queued and none was before. */
  onQueued?: () => void
  /** Maximum number of keys; the least recently used is forgotten. Default 200,000. */
  maxKeys?: number
}

export function createRateLimiter(options: RateLimiterOptions): SharedRateLimiter {
  const { membership, now, onQueued = () => undefined, maxKeys = 200_000 } = options
  const startedAtMs = now()
  // V8 stores integers of up to 31 bits in less memory than milliseconds since 1970
  const elapsedMs = () => now() - startedAtMs
  const clockMs = () => commonClock(membership(), now())
  const ledgers = createLedgerTable({ membership, elapsedMs, maxKeys })
  const queue = createUpdateQueue(onQueued)

  function count(ledger: Ledger, isAdmitted: boolean, isExceeded: boolean): void {
    if (isAdmitted) ledger.spent += 1
    // a request that another policy rejects is no demand for this one
    if (!hasPeers(membership()) || !(isAdmitted || isExceeded)) return
    ledger.demand += 1
    ledger.hasUnpublishedChange = true
    queue.add(ledger)
  }

  function evaluate(policies: readonly Policy[], isCounted: boolean): PolicyStatus[] {
    const clock = clockMs()
    const open = policies.map(({ key, quota }) => ledgers.getOpen(key, quota, clock))
    const isAdmitted = isCounted && open.every(({ spent, admitLimit }) => spent < admitLimit)
    return open.map((ledger, index) => {
      const isExceeded = ledger.spent >= ledger.admitLimit
      count(ledger, isAdmitted, isExceeded)
      return statusOf(policies[index]?.name ?? '', ledger, isExceeded, clock)
    })
  }

  return {
    take: (policies) => evaluate(policies, true),
    check: (policies) => evaluate(policies, false),
    get hasQueuedUpdates() {
      return !queue.isEmpty
    },
    takeUpdates(max, isConnected) {
      const [clock, elapsed] = [clockMs(), elapsedMs()]
      const open = queue.take(max).filter((ledger) => windowEndOf(ledger) > clock)
      for (const ledger of open) updateRate(ledger, elapsed)
      return isConnected ? open.flatMap((ledger) => nextUpdate(ledger, membership(), elapsed) ?? []) : []
    },
    applyUpdates(edge, updates) {
      const [clock, elapsed] = [clockMs(), elapsedMs()]
      for (const update of updates) {
        const ledger = ledgers.get(update.key)
        if (!isCurrent(update, ledger, clock)) continue
        if (update.window > ledger.window) openWindowFrom(ledger, update, membership())
        if (applyUpdate(ledger, edge, update, elapsed, membership())) queue.add(ledger)
      }
    },
    enqueueAll(markChanged) {
      const clock = clockMs()
      for (const ledger of ledgers.all()) {
        if (windowEndOf(ledger) <= clock) continue
        ledger.hasUnpublishedChange ||= markChanged
        queue.add(ledger)
      }
    },
  }
}

function nextUpdate(ledger: Ledger, membership: Membership, elapsedMs: number): LedgerUpdate | undefined {
  rebalance(ledger, membership, elapsedMs)
  const isChanged = ledger.hasUnpublishedChange
  ledger.hasUnpublishedChange = false
  return isChanged ? updateOf(ledger) : undefined
}

/** Ignores a window that has ended; accepts the next one, which a peer may open a moment earlier. */
function isCurrent({ window }: LedgerUpdate, ledger: Ledger, clockMs: number): boolean {
  const windowsAhead = window - windowAt(ledger.hash, clockMs)
  return windowsAhead >= 0 && windowsAhead <= 1 && window >= ledger.window
}

function statusOf(name: string, ledger: Ledger, isExceeded: boolean, clockMs: number): PolicyStatus {
  const { quota, spent, spentByPeers } = ledger
  const left = Math.max(0, quota - spent - spentByPeers)
  const resetSeconds = Math.min(60, Math.max(1, Math.ceil((windowEndOf(ledger) - clockMs) / 1000)))
  const retrySeconds = left > 0 ? 1 : resetSeconds
  return { name, quota, remaining: isExceeded ? 0 : left, resetSeconds, isExceeded, retrySeconds }
}

/** Ledgers that wait to be rebalanced and published, each once, in the order they were added. */
interface UpdateQueue {
  add(ledger: Ledger): void
  /** Removes and returns the ledgers that have waited longest. */
  take(max: number): Ledger[]
  readonly isEmpty: boolean
}

/** @param onFirst called when a ledger is added to an empty queue */
function createUpdateQueue(onFirst: () => void): UpdateQueue {
  let queued: Ledger[] = []
  return {
    add(ledger) {
      if (ledger.isQueued) return
      ledger.isQueued = true
      queued.push(ledger)
      if (queued.length === 1) onFirst()
    },
    take(max) {
      const taken = queued.slice(0, max)
      queued = queued.slice(max)
      for (const ledger of taken) ledger.isQueued = false
      return taken
    },
    get isEmpty() {
      return queued.length === 0
    },
  }
}
