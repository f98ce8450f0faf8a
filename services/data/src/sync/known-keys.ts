import { hash } from 'node:crypto'

/** The keys a source had before it was read, and which of them were seen since. */
export interface KnownKeys {
  see(key: string): void
  /** Whether it was there before and was not seen. */
  isGone(key: string): boolean
}

/**
 * Nine bytes a key: a hash of it, sorted, and whether it was seen. Where two keys had one hash, a record that is gone
 * would stay; of ten million keys that is to be expected once in 370,000 crawls.
 * @param expected how many there will be, about
 */
export async function knownKeys(pages: AsyncIterable<readonly string[]>, expected: number): Promise<KnownKeys> {
  let hashes = new BigUint64Array(Math.max(16, expected))
  let length = 0
  for await (const keys of pages)
    for (const key of keys) {
      if (length === hashes.length) {
        const more = new BigUint64Array(2 * length)
        more.set(hashes)
        hashes = more
      }
      hashes[length++] = hashOf(key)
    }
  const sorted = hashes.subarray(0, length).sort()
  const seen = new Uint8Array(length)

  function placeOf(key: string): number {
    const wanted = hashOf(key)
    let [low, high] = [0, length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((sorted[middle] ?? 0n) < wanted) low = middle + 1
      else high = middle
    }
    return sorted[low] === wanted && low < length ? low : -1
  }

  return {
    see(key) {
      const place = placeOf(key)
      if (place >= 0) seen[place] = 1
    },
    isGone(key) {
      const place = placeOf(key)
      return place >= 0 && seen[place] === 0
    },
  }
}

const hashOf = (key: string): bigint => hash('sha256', key, 'buffer').readBigUInt64LE()
