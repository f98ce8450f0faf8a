import { LRUCache } from 'lru-cache'
import type { QuantizedVectors } from '../../store/embeddings/quantized-vector.ts'

/** Caches all quantized vectors of a source in one version. Least recently used sources are evicted. */
export interface QuantizedVectorCache {
  /** Returns the pages of a source; undefined if none or another version is cached. */
  get(key: string, version: number): readonly QuantizedVectors[] | undefined
  /** Does nothing if the pages exceed `maxBytes`. */
  set(key: string, version: number, pages: readonly QuantizedVectors[]): void
  readonly maxBytes: number
}

export const sizeInBytes = ({ values, documents }: QuantizedVectors): number => values.byteLength + 8 * documents.length

interface Entry {
  version: number
  pages: readonly QuantizedVectors[]
}

export function createQuantizedVectorCache(maxBytes: number): QuantizedVectorCache {
  const entries = new LRUCache<string, Entry>({
    maxSize: Math.max(1, maxBytes), // 0 would mean unbounded
    sizeCalculation: ({ pages }) =>
      Math.max(
        1,
        pages.reduce((sum, page) => sum + sizeInBytes(page), 0),
      ),
  })
  return {
    maxBytes,
    get(key, version) {
      // peek: a lookup of another version must not count as a use.
      return entries.peek(key)?.version === version ? entries.get(key)?.pages : undefined
    },
    set(key, version, pages) {
      entries.set(key, { version, pages })
    },
  }
}
