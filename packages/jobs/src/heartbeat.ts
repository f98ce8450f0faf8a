import type { Database, Log } from '@wp/database'
import { createLoop, type Loop } from '@wp/events'
import type { Held } from './held.ts'
import { renewLeases } from './leases.ts'

/** Keeps the leases of a runner alive, all by one statement, and tells the work whose lease is gone. */
export function createHeartbeat(options: {
  name: string
  worker: Database['worker']
  held: ReadonlySet<Held>
  leaseMs: number
  everyMs: number
  log: Log
}): Loop {
  const { name, worker, held, leaseMs, everyMs, log } = options

  async function pass(): Promise<'idle'> {
    const leases = [...held].filter(({ settled }) => settled === undefined)
    if (leases.length === 0) return 'idle'
    const from = performance.now()
    const standings = await renewLeases(worker, leases, leaseMs)
    for (const lease of leases) {
      const standing = standings.get(lease)
      if (standing === 'renewed') lease.extend(leaseMs, from)
      if (standing === 'cancelled') lease.interrupt('cancelled')
      if (standing === 'lost' && lease.settled === undefined) lease.interrupt('lease_lost')
    }
    return 'idle'
  }

  return createLoop({ name, pass, pollMs: everyMs, backoff: { firstMs: 100, maxMs: everyMs }, log })
}
