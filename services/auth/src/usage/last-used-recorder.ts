import type { Database } from '@wp/database'
import type { Logger, Worker } from '@wp/service'
import { writeLastUsed } from '../store/credentials/last-used.ts'

/** Notes when keys, service principals and sessions were used; as a worker it writes that down now and then. */
export interface LastUsedRecorder extends Worker {
  /** Costs a map entry, never a write. */
  record(id: string): void
  flush(): Promise<void>
}

interface Options {
  pool: Database['worker']
  now: () => number
  log: Logger
  flushIntervalMs?: number
}

/** @param options.everyMs default 5,000: at most so much is forgotten by a crash */
export function createLastUsedRecorder({
  pool,
  now,
  log,
  flushIntervalMs: everyMs = 5_000,
}: Options): LastUsedRecorder {
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
      // Later uses win over what goes back.
      pending = new Map([...batch, ...pending])
      log.warn({ err, count: batch.size }, 'when credentials were last used could not be written; the next round tries')
    }
  }

  /** One after the other, so that two rounds never wait for each other's rows. */
  function flush(): Promise<void> {
    writing = writing.then(write)
    return writing
  }

  return {
    name: 'last-used',
    record: (id) => void pending.set(id, new Date(now())),
    flush,
    async start() {
      timer = setInterval(() => void flush(), everyMs)
    },
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}
