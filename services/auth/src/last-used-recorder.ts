import type { Database } from '@wp/database'
import type { Worker } from '@wp/runtime'
import type { Logger } from '@wp/service'
import { writeLastUsed } from './store/credentials/last-used.ts'

/** Records in memory when API keys, service principals and sessions were used. The worker stores it in batches. */
export interface LastUsedRecorder extends Worker {
  /** Records a use in memory, without a database write. */
  record(id: string): void
  flush(): Promise<void>
}

interface Options {
  pool: Database['worker']
  now: () => number
  log: Logger
  flushIntervalMs?: number
}

/** Creates a recorder. @param options.flushIntervalMs default 5,000; a crash loses at most the uses of one interval */
export function createLastUsedRecorder({ pool, now, log, flushIntervalMs = 5_000 }: Options): LastUsedRecorder {
  let pending = new Map<string, Date>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  async function write() {
    const batch = pending
    if (batch.size === 0) return
    pending = new Map()
    try {
      await writeLastUsed(pool, batch)
    } catch (err) {
      // Uses recorded since then are newer and take precedence.
      pending = new Map([...batch, ...pending])
      log.warn({ event: 'last_used.flush_failed', err, count: batch.size }, 'failed to store last uses; will retry')
    }
  }

  /** Flushes one after another, so that two flushes never wait for each other's row locks. */
  function flush(): Promise<void> {
    writing = writing.then(write)
    return writing
  }

  return {
    name: 'last-used',
    record: (id) => void pending.set(id, new Date(now())),
    flush,
    async start() {
      timer = setInterval(() => void flush(), flushIntervalMs)
    },
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}
