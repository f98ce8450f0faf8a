import { problem } from '@wp/contracts'
import { FairSemaphore, SemaphoreTimeout } from '@wp/runtime'
import { LRUCache } from 'lru-cache'
import type { WebFile } from './web-build.ts'

/** The files of other builds, of which a tab that is still open may load one. */
export interface EarlierAssets {
  /** @returns undefined if no known build has the file @throws Problem 503 if too many files are being read */
  find(name: string): Promise<WebFile | undefined>
}

interface Options {
  /** Reads a stored file. */
  read: (name: string) => Promise<WebFile | undefined>
  /** Milliseconds of a monotonic clock. */
  now?: () => number
}

/** Bytes of the files kept in memory. */
const maxCachedBytes = 16 * 1024 * 1024
/** Names that no build has; kept briefly, because a build that is being rolled out adds names. */
const maxMissingNames = 10_000
const missingMs = 10_000
/** Reads at once. A stranger can ask for any number of names. */
const maxReads = 2
const maxWaitMs = 5_000

/** Creates the lookup. Concurrent requests of one name read it once. */
export function createEarlierAssets({ read, now = () => performance.now() }: Options): EarlierAssets {
  const perf = { now }
  const cache = new LRUCache<string, WebFile>({ maxSize: maxCachedBytes, sizeCalculation: sizeOf, perf })
  const missing = new LRUCache<string, true>({ max: maxMissingNames, ttl: missingMs, ttlResolution: 0, perf })
  const reads = new Map<string, Promise<WebFile | undefined>>()
  const semaphore = new FairSemaphore({ size: maxReads, maxWaitMs })

  async function load(name: string): Promise<WebFile | undefined> {
    const release = await semaphore.acquire('').catch(rejectAsUnavailable)
    try {
      const file = await read(name)
      if (file === undefined) missing.set(name, true)
      else cache.set(name, file)
      return file
    } finally {
      release()
    }
  }

  return {
    async find(name) {
      if (missing.has(name)) return undefined
      const cached = cache.get(name)
      if (cached !== undefined) return cached
      const running = reads.get(name)
      if (running !== undefined) return await running
      const reading = load(name).finally(() => reads.delete(name))
      reads.set(name, reading)
      return await reading
    },
  }
}

function rejectAsUnavailable(error: unknown): never {
  if (!(error instanceof SemaphoreTimeout)) throw error
  throw problem('service_unavailable', {
    detail: 'Too many files of earlier builds are requested; retry shortly',
    headers: { 'retry-after': '1' },
  })
}

const sizeOf = ({ content, gzip, brotli }: WebFile): number =>
  1 + content.length + (gzip?.length ?? 0) + (brotli?.length ?? 0)
