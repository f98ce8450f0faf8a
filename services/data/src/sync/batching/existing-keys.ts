import { hash } from 'node:crypto'

/** The keys a source had before a crawl, and which of them the crawl has read. */
export interface ExistingKeys {
  markSeen(key: string): void
  /** Returns true for a key that existed before and was not marked. */
  isMissing(key: string): boolean
  countUnseen(): number
  /** Returns the number of all keys. */
  count(): number
}

/**
 * Collects keys as a sorted array of 8-byte hashes and one bit per key. A record with a colliding hash would not be
 * deleted; with ten million keys a collision is expected once in 370,000 crawls.
 *
 * @param pages the first 8 bytes of the SHA-256 of each key, concatenated
 */
export async function collectExistingKeys(pages: AsyncIterable<Uint8Array>): Promise<ExistingKeys> {
  const sorted = (await readHashes(pages)).sort()
  // Two 32-bit halves per hash, the lower first: comparing them does not allocate, unlike bigints.
  const halves = new Uint32Array(sorted.buffer)
  const seenBits = new Uint8Array(Math.ceil(sorted.length / 8))
  let unseen = sorted.length

  const isSeen = (index: number) => ((seenBits[index >> 3] ?? 0) & (1 << (index & 7))) !== 0

  return {
    markSeen(key) {
      const index = findHash(halves, key)
      if (index < 0 || isSeen(index)) return
      seenBits[index >> 3] = (seenBits[index >> 3] ?? 0) | (1 << (index & 7))
      unseen--
    },
    isMissing(key) {
      const index = findHash(halves, key)
      return index >= 0 && !isSeen(index)
    },
    countUnseen: () => unseen,
    count: () => sorted.length,
  }
}

/** Finds the hash of a key by binary search. @returns its index, or -1 */
function findHash(halves: Uint32Array, key: string): number {
  const wanted = hash('sha256', key, 'buffer')
  const [lower, upper] = [wanted.readUInt32LE(0), wanted.readUInt32LE(4)]
  const isBelow = (index: number) => {
    const high = halves[2 * index + 1] ?? 0
    return high < upper || (high === upper && (halves[2 * index] ?? 0) < lower)
  }
  const length = halves.length / 2
  let [from, to] = [0, length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (isBelow(middle)) from = middle + 1
    else to = middle
  }
  return from < length && halves[2 * from] === lower && halves[2 * from + 1] === upper ? from : -1
}

/** Reads hashes as 64-bit integers. Assumes a little-endian machine, like every platform that Node.js supports. */
async function readHashes(pages: AsyncIterable<Uint8Array>): Promise<BigUint64Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const page of pages) {
    chunks.push(page)
    length += page.length
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return new BigUint64Array(bytes.buffer)
}
