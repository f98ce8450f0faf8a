import { entryLimit } from '@wp/runtime'
import { LRUCache } from 'lru-cache'
import type { Membership } from '../membership.ts'
import { windowAt } from '../window.ts'
import { changeQuota, createLedger, type Ledger, openWindow, windowEndOf } from './ledger.ts'

interface LedgerTableOptions {
  membership: () => Membership
  /** Milliseconds since the limiter started. */
  elapsedMs: () => number
  /** Maximum number of ledgers; the least recently used is evicted. */
  maxKeys: number
}

/** Holds the ledgers of a limiter by key. */
export interface LedgerTable {
  /** Returns the ledger of a key, with or without an open window. */
  get(key: string): Ledger
  /** Returns the ledger of a key with the current window open and the given quota. @param clockMs common clock */
  getOpen(key: string, quota: number, clockMs: number): Ledger
  all(): Iterable<Ledger>
}

export function createLedgerTable({ membership, elapsedMs, maxKeys }: LedgerTableOptions): LedgerTable {
  const ledgers = new LRUCache<string, Ledger>(entryLimit(maxKeys))

  function get(key: string): Ledger {
    const found = ledgers.get(key)
    if (found !== undefined) return found
    const created = createLedger(key, elapsedMs())
    ledgers.set(key, created)
    return created
  }

  return {
    get,
    getOpen(key, quota, clockMs) {
      const ledger = get(key)
      if (windowEndOf(ledger) <= clockMs) openWindow(ledger, windowAt(ledger.hash, clockMs), quota, membership())
      else if (ledger.quota !== quota) changeQuota(ledger, quota, membership())
      return ledger
    },
    all: () => ledgers.values(),
  }
}
