/**
 * Postings of a lexeme: two 32-bit words each. The first is the document's number; the second holds, in its upper half,
 * the lexeme's weighted occurrences (0 says that it no longer stands there), in its lower half the document's weighted
 * length. Later ones overrule earlier ones; within one segment there is one of a document. Stored big-endian.
 */
export type Postings = Uint32Array

export const occurrencesOf = (word: number): number => word >>> 16
export const documentLengthOf = (word: number): number => word & 0xffff

/** Reads stored postings, for which it takes the bytes over. */
export function decodePostings(stored: Buffer): Postings {
  const bytes = stored.byteOffset % 4 === 0 ? stored : Buffer.copyBytesFrom(stored)
  bytes.swap32()
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
}

export function encodePostings(postings: Postings): Buffer {
  const copy = postings.slice()
  return Buffer.from(copy.buffer, copy.byteOffset, copy.byteLength).swap32()
}

/**
 * What still holds of a lexeme's postings.
 * @param segments the newest first; all there are, from the first on
 */
export function mergeSegments(segments: readonly Postings[]): Postings {
  const kept = new Uint32Array(segments.reduce((words, segment) => words + segment.length, 0))
  const met = new Set<number>()
  let start = kept.length
  for (const segment of segments)
    for (let at = segment.length - 2; at >= 0; at -= 2) {
      // Both words are there: a segment holds whole postings.
      const [document, word] = [segment[at] as number, segment[at + 1] as number]
      if (met.has(document)) continue
      met.add(document)
      if (occurrencesOf(word) === 0) continue
      start -= 2
      kept[start] = document
      kept[start + 1] = word
    }
  return kept.subarray(start)
}
