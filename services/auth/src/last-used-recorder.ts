import type { Database } from '@wp/database'
import { createLoop, type Worker } from '@wp/runtime'
import type { Logger } from '@wp/service'
import { writeLastUsed } from './store/credentials/last-used.ts'

/** Records in memory when API keys, service principals and sessions were used. The worker stores it in batches. */
export interface LastUsedRecorder extends Worker {
  /** Records a use in memory, without a database write. */
  record(id: string): void
}

interface Options {
  pool: Database['worker']
  now: () => number
  log: Logger
}

/** A crash loses at most the uses of one interval. */
const flushIntervalMs = 5_000

export function createLastUsedRecorder({ pool, now, log }: Options): LastUsedRecorder {
  let pending = new Map<string, Date>()

  async function flush(): Promise<'idle'> {
    const batch = pending
    if (batch.size === 0) return 'idle'
    pending = new Map()
    try {
      await writeLastUsed(pool, batch)
    } catch (error) {
      // Uses recorded since then are newer and take precedence.
      pending = new Map([...batch, ...pending])
      throw error
    }
    return 'idle'
  }

  return {
    ...createLoop({ name: 'last-used', pass: flush, pollMs: flushIntervalMs, onStopped: flush, log }),
    record: (id) => void pending.set(id, new Date(now())),
  }
}
