import type { Database } from '@wp/database'
import { createLoop, type Log, type Loop, type LoopOptions } from '@wp/runtime'
import { renewLeases } from '../queue/leases.ts'
import type { ActiveLease } from './active-lease.ts'

/** Creates the loop that renews all leases of a runner in one statement and interrupts handlers whose lease is gone. */
export function createHeartbeat(options: {
  /** Name of the runner. */
  name: string
  worker: Database['worker']
  activeLeases: ReadonlySet<ActiveLease>
  leaseMs: number
  intervalMs: number
  /** See `LoopOptions`. */
  subscribe: LoopOptions['subscribe']
  log: Log
}): Loop {
  const { name, worker, activeLeases, leaseMs, intervalMs, subscribe, log } = options

  async function pass(): Promise<'idle'> {
    const leases = [...activeLeases].filter(({ result }) => result === undefined)
    if (leases.length === 0) return 'idle'
    const renewedAt = performance.now()
    const statuses = await renewLeases(worker, leases, leaseMs)
    for (const lease of leases) {
      const status = statuses.get(lease)
      if (status === 'renewed') lease.renew(leaseMs, renewedAt)
      if (status === 'cancelled') lease.interrupt('cancelled')
      if (status === 'lost' && lease.result === undefined) lease.interrupt('lease_lost')
    }
    return 'idle'
  }

  const backoff = { firstMs: 100, maxMs: intervalMs }
  return createLoop({ name: `leases of ${name}`, pass, pollMs: intervalMs, backoff, subscribe, log })
}
