import { hash } from 'node:crypto'

/** The keys a source had before it was read, and which of them were seen since. */
export interface ExistingKeys {
  markSeen(key: string): void
  /** Whether it was there before and was not seen. */
  isMissing(key: string): boolean
  /** How many that is so of. */
  countUnseen(): number
}

/**
 * A little more than eight bytes a key: a hash of it, in order, and a bit that says whether it was seen. Where two keys
 * had one hash, a record that is gone would stay; of ten million keys that is to be expected once in 370,000 crawls.
 *
 * @param pages the first eight bytes of each key's SHA-256, one after the other
 */
export async function collectExistingKeys(pages: AsyncIterable<Uint8Array>): Promise<ExistingKeys> {
  const sorted = (await collectHashes(pages)).sort()
  // Numbers below 2^53 are compared without allocating; each hash is two of them, the lower half first.
  const halves = new Uint32Array(sorted.buffer)
  const seen = new Uint8Array(Math.ceil(sorted.length / 8))
  let unseen = sorted.length

  function placeOf(key: string): number {
    const wanted = hash('sha256', key, 'buffer')
    const [lower, upper] = [wanted.readUInt32LE(0), wanted.readUInt32LE(4)]
    const isBelow = (place: number) => {
      const high = halves[2 * place + 1] ?? 0
      return high < upper || (high === upper && (halves[2 * place] ?? 0) < lower)
    }
    let [from, to] = [0, sorted.length]
    while (from < to) {
      const middle = (from + to) >>> 1
      if (isBelow(middle)) from = middle + 1
      else to = middle
    }
    return from < sorted.length && halves[2 * from] === lower && halves[2 * from + 1] === upper ? from : -1
  }

  const isSeen = (place: number) => ((seen[place >> 3] ?? 0) & (1 << (place & 7))) !== 0

  return {
    markSeen(key) {
      const place = placeOf(key)
      if (place < 0 || isSeen(place)) return
      seen[place >> 3] = (seen[place >> 3] ?? 0) | (1 << (place & 7))
      unseen--
    },
    isMissing(key) {
      const place = placeOf(key)
      return place >= 0 && !isSeen(place)
    },
    countUnseen: () => unseen,
  }
}

/** Hashes as they come; the machine's numbers are little-endian, as those of all machines Node runs on in practice. */
async function collectHashes(pages: AsyncIterable<Uint8Array>): Promise<BigUint64Array<ArrayBuffer>> {
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
