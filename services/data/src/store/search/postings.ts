/**
 * The posting list of a lexeme: two 32-bit words a posting, stored big-endian. The first word is the document number.
 * The second holds the weighted occurrences of the lexeme in its upper half (0 is a tombstone: the lexeme left the
 * document) and the weighted document length in its lower half. A segment has at most one posting a document; a newer
 * segment overrides older ones.
 */
export type Postings = Uint32Array

export const occurrencesOf = (word: number): number => word >>> 16
export const documentLengthOf = (word: number): number => word & 0xffff

/** Decodes stored postings. Modifies `stored` in place; the caller must not use it afterwards. */
export function decodePostings(stored: Buffer): Postings {
  const bytes = stored.byteOffset % 4 === 0 ? stored : Buffer.copyBytesFrom(stored)
  bytes.swap32()
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
}

export function encodePostings(postings: Postings): Buffer {
  const copy = postings.slice()
  return Buffer.from(copy.buffer, copy.byteOffset, copy.byteLength).swap32()
}
