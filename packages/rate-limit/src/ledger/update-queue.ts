import type { Ledger } from './ledger.ts'

/** Ledgers that wait to be rebalanced and published, each once, in the order they were added. */
export interface UpdateQueue {
  add(ledger: Ledger): void
  /** Removes and returns the ledgers that have waited longest. */
  take(max: number): Ledger[]
  readonly isEmpty: boolean
}

/** @param onFirst called when a ledger is added to an empty queue */
export function createUpdateQueue(onFirst: () => void): UpdateQueue {
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
