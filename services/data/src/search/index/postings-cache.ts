import type { Postings } from './postings.ts'

/**
 * Postings that were read, by what names their row and its version: such a row never changes. The least recently used
 * leave when there is no more room.
 */
export interface PostingsCache {
  get(key: string): Postings | undefined
  set(key: string, postings: Postings): void
}

export function createPostingsCache(maxBytes: number): PostingsCache {
  const kept = new Map<string, Postings>()
  let bytes = 0
  return {
    get(key) {
      const postings = kept.get(key)
      if (postings === undefined) return undefined
      // Maps keep the order of insertion: what is used goes to the end.
      kept.delete(key)
      kept.set(key, postings)
      return postings
    },
    set(key, postings) {
      if (kept.has(key) || postings.byteLength > maxBytes) return
      kept.set(key, postings)
      bytes += postings.byteLength
      for (const [oldest, { byteLength }] of kept) {
        if (bytes <= maxBytes) return
        kept.delete(oldest)
        bytes -= byteLength
      }
    },
  }
}
