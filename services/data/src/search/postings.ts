/**
 * Postings of a lexeme: eight bytes each, big-endian. The document's number (4), the lexeme's weighted occurrences (2;
 * 0 says that it no longer stands there), the document's weighted length (2). Later ones overrule earlier ones.
 */
export const postingBytes = 8

/**
 * What still holds of a lexeme's postings.
 * @param blocks the newest first; all there are, from the first segment on
 */
export function newestOf(blocks: readonly Buffer[]): Buffer {
  const kept = Buffer.allocUnsafe(blocks.reduce((bytes, block) => bytes + block.length, 0))
  const met = new Set<number>()
  let start = kept.length
  for (const block of blocks)
    for (let at = block.length - postingBytes; at >= 0; at -= postingBytes) {
      const document = block.readUInt32BE(at)
      if (met.has(document)) continue
      met.add(document)
      if (block.readUInt16BE(at + 4) === 0) continue
      start -= postingBytes
      block.copy(kept, start, at, at + postingBytes)
    }
  return kept.subarray(start)
}
