import { hash } from 'node:crypto'

/**
 * Recognizes rows that a resumed crawl reads again: a cursor may point before rows that are already stored. A row is
 * recognized as often as it was read before.
 */
export interface ResumeDedup {
  /** Takes the next row. @returns true if it was read before the cursor */
  isRepeated(fingerprint: string): boolean
  /** Returns the hashes of the last 1,000 rows, 8 bytes each, to be saved with the cursor after them. */
  recentRowHashes(): Uint8Array
}

const maxHashes = 1_000
const hashHexLength = 16

/** @param previous hashes of the rows before the cursor; null if the crawl does not resume */
export function createResumeDedup(previous: Uint8Array | null): ResumeDedup {
  const expected = new Map<string, number>()
  let recent = previous === null ? [] : decodeHashes(previous)
  for (const rowHash of recent) expected.set(rowHash, (expected.get(rowHash) ?? 0) + 1)
  return {
    isRepeated(fingerprint) {
      const rowHash = hash('sha256', fingerprint, 'hex').slice(0, hashHexLength)
      const remaining = expected.get(rowHash) ?? 0
      if (remaining > 0) {
        expected.set(rowHash, remaining - 1)
        return true
      }
      recent.push(rowHash)
      if (recent.length >= 2 * maxHashes) recent = recent.slice(-maxHashes)
      return false
    },
    recentRowHashes: () => Buffer.from(recent.slice(-maxHashes).join(''), 'hex'),
  }
}

function decodeHashes(bytes: Uint8Array): string[] {
  const hex = Buffer.from(bytes).toString('hex')
  return Array.from({ length: hex.length / hashHexLength }, (_, nth) =>
    hex.slice(nth * hashHexLength, (nth + 1) * hashHexLength),
  )
}
