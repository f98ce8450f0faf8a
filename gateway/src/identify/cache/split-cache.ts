import { entryLimit } from '@wp/runtime'
import { LRUCache } from 'lru-cache'

/** Bounds the rejected credentials, so that invented ones cannot evict valid ones. */
const maxRejected = 10_000

/** Creates separate LRU caches for valid and rejected credentials; a key is in at most one. */
export function createSplitCache<Entry extends object>(maxEntries: number) {
  const valid = new LRUCache<string, Entry>(entryLimit(maxEntries))
  const rejected = new LRUCache<string, Entry>(entryLimit(Math.min(maxEntries, maxRejected)))
  return {
    get: (key: string) => valid.get(key) ?? rejected.get(key),
    set(key: string, isValid: boolean, entry: Entry) {
      const [cache, other] = isValid ? [valid, rejected] : [rejected, valid]
      other.delete(key)
      cache.set(key, entry)
    },
    /** Returns the number of valid entries. */
    size: () => valid.size,
  }
}
