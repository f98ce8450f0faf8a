import { LRUCache } from 'lru-cache'
import { windowAt } from './clock.ts'
import {
  changeQuota,
  createLedger,
  endOf,
  hear,
  type Ledger,
  measure,
  open,
  openAs,
  type Statement,
  settle,
  stateOf,
} from './ledger.ts'
import type { Members } from './members.ts'

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
export interface Count {
  name: string
  quota: number
  /** At all edges, as far as this one knows. */
  remaining: number
  /** Whole seconds until the window ends. */
  resetSeconds: number
  exceeded: boolean
  /** Whole seconds until it is worth trying again, where it is exceeded: others may have something to give. */
  retrySeconds: number
}

/** Counts requests in windows of a minute that all edges have in common. */
export interface Windows {
  /** Counts against all policies, or, when one is exceeded, against none. */
  take(policies: readonly Policy[]): Count[]
}

/** The same as the exchange between edges sees it. */
export interface SharedWindows extends Windows {
  /**
   * Looks at what was touched since the last time, the longest waiting first, and returns what is new to the others.
   * @param isHeard without it nothing is shared out, for it would be lost
   */
  news(most: number, isHeard: boolean): Statement[]
  /** Whether something waits to be looked at. */
  readonly waiting: boolean
  hear(edge: string, statements: readonly Statement[]): void
  /** Looks at everything, because others came or went. @param isNews whoever comes shall know it all */
  touchAll(isNews: boolean): void
}

/**
 * @param now milliseconds since 1970
 * @param wake is called when something is touched and nothing was before
 * @param entries windows kept at most, the least recently used of which is forgotten
 */
export function createWindows(
  members: Members,
  now: () => number,
  wake: () => void = () => undefined,
  entries = 200_000,
): SharedWindows {
  // small numbers are kept in less room
  const startedAt = now()
  const elapsed = () => now() - startedAt
  const ledgers = new LRUCache<string, Ledger>({ max: entries })
  let touched: Ledger[] = []
  const company = () => ({
    self: members.self,
    all: members.all(),
    between: members.between,
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
    if (endOf(ledger) <= clock) open(ledger, windowAt(ledger.hash, clock), quota, company())
    else if (ledger.quota !== quota) changeQuota(ledger, quota, company())
    return ledger
  }

  function touch(ledger: Ledger): void {
    if (ledger.touched) return
    ledger.touched = true
    touched.push(ledger)
    if (touched.length === 1) wake()
  }

  function count(ledger: Ledger, isTaken: boolean, exceeded: boolean): void {
    if (isTaken) ledger.spent += 1
    // what another policy refuses is no demand on this one
    if (!members.shared || !(isTaken || exceeded)) return
    ledger.wanted += 1
    ledger.changed = true
    touch(ledger)
  }

  return {
    take(policies) {
      const clock = members.clock()
      const found = policies.map((policy) => ({ policy, ledger: current(policy, clock) }))
      const isTaken = found.every(({ ledger }) => ledger.spent < ledger.stop)
      return found.map(({ policy: { name, quota }, ledger }) => {
        const exceeded = ledger.spent >= ledger.stop
        count(ledger, isTaken, exceeded)
        const left = Math.max(0, quota - ledger.spent - ledger.spentByOthers)
        const resetSeconds = Math.min(60, Math.max(1, Math.ceil((endOf(ledger) - clock) / 1000)))
        const retrySeconds = left > 0 ? 1 : resetSeconds
        return { name, quota, remaining: exceeded ? 0 : left, resetSeconds, exceeded, retrySeconds }
      })
    },
    get waiting() {
      return touched.length > 0
    },
    news(most, isHeard) {
      const due = touched.slice(0, most)
      touched = touched.slice(most)
      const [clock, time] = [members.clock(), elapsed()]
      const everybody = company()
      const told: Statement[] = []
      for (const ledger of due) {
        ledger.touched = false
        if (endOf(ledger) <= clock) continue
        measure(ledger, time)
        if (!isHeard) continue
        settle(ledger, everybody, time)
        if (ledger.changed) told.push(stateOf(ledger))
        ledger.changed = false
      }
      return told
    },
    hear(edge, statements) {
      const [clock, time] = [members.clock(), elapsed()]
      for (const statement of statements) {
        const ledger = ledgerOf(statement.key)
        const ahead = statement.window - windowAt(ledger.hash, clock)
        // a window that is over is nobody's business; one that begins a little early at another edge begins here, too
        if (ahead < 0 || ahead > 1 || statement.window < ledger.window) continue
        if (statement.window > ledger.window) openAs(ledger, statement, company())
        if (hear(ledger, edge, statement, time, members.self)) touch(ledger)
      }
    },
    touchAll(isNews) {
      const clock = members.clock()
      for (const ledger of ledgers.values()) {
        if (endOf(ledger) <= clock) continue
        ledger.changed ||= isNews
        touch(ledger)
      }
    },
  }
}
