import { LRUCache } from 'lru-cache'
import type { Postings } from '../../store/search/postings.ts'
import type { PostingsCache } from '../../store/search/read-postings.ts'

/** Creates an LRU cache of postings, bounded by their size in bytes. */
export const createPostingsCache = (maxBytes: number): PostingsCache =>
  new LRUCache<string, Postings>({
    maxSize: Math.max(1, maxBytes), // 0 would mean unbounded
    sizeCalculation: ({ byteLength }) => Math.max(1, byteLength),
  })
