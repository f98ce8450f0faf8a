import { occurrencesOf, type Postings } from '../../store/search/postings.ts'

/**
 * Merges all segments of a posting list: keeps the newest posting of each document and drops tombstones.
 * @param segments newest first; must include the oldest, because tombstones are dropped
 */
export function mergeSegments(segments: readonly Postings[]): Postings {
  const merged = new Uint32Array(segments.reduce((words, segment) => words + segment.length, 0))
  const seen = new Set<number>()
  let start = merged.length
  for (const segment of segments)
    for (let at = segment.length - 2; at >= 0; at -= 2) {
      // Both words exist: a segment holds whole postings.
      const [document, word] = [segment[at] as number, segment[at + 1] as number]
      if (seen.has(document)) continue
      seen.add(document)
      if (occurrencesOf(word) === 0) continue
      start -= 2
      merged[start] = document
      merged[start + 1] = word
    }
  return merged.subarray(start)
}
