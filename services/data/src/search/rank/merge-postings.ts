import { occurrencesOf, type Postings } from '../../store/search/postings.ts'

/** Returns true if a segment has no tombstones and no document that was added after the index was listed. */
export function hasOnlyLivePostings(segment: Postings, maxDoc: number): boolean {
  for (let at = 0; at < segment.length; at += 2)
    // Both words exist: a segment holds whole postings.
    if ((segment[at] as number) >= maxDoc || occurrencesOf(segment[at + 1] as number) === 0) return false
  return true
}

/**
 * Creates a function that merges posting lists of lexemes which score as one term. In each list the newest segment comes
 * first, and only the first posting of a document counts; occurrences in different lists add up. The function reuses its
 * buffers.
 *
 * @param maxDocOfLargest document number bound of the largest index
 */
export function createPostingsMerger(maxDocOfLargest: number) {
  // Allocated on first use. Instead of being cleared, entries hold the number of the list or merge that wrote them.
  let seenInList = new Uint32Array(0)
  let foundInMerge = seenInList
  /** Index of the document's second word in the result. */
  let wordIndexes = seenInList
  let [lists, merges] = [0, 0]

  return (lexemeLists: readonly (readonly Postings[])[], maxDoc: number): Postings => {
    if (seenInList.length < maxDocOfLargest) {
      seenInList = new Uint32Array(maxDocOfLargest)
      foundInMerge = new Uint32Array(maxDocOfLargest)
      wordIndexes = new Uint32Array(maxDocOfLargest)
    }
    merges++
    const merged = new Uint32Array(lexemeLists.flat().reduce((words, segment) => words + segment.length, 0))
    let end = 0
    for (const segments of lexemeLists) {
      lists++
      for (const segment of segments)
        for (let at = 0; at < segment.length; at += 2) {
          // Both words exist: a segment holds whole postings.
          const [document, word] = [segment[at] as number, segment[at + 1] as number]
          if (document >= maxDoc || seenInList[document] === lists) continue
          seenInList[document] = lists
          if (occurrencesOf(word) === 0) continue
          if (foundInMerge[document] === merges) {
            const index = wordIndexes[document] as number
            merged[index] = (merged[index] as number) + (word & ~0xffff)
            continue
          }
          foundInMerge[document] = merges
          merged[end] = document
          wordIndexes[document] = end + 1
          merged[end + 1] = word
          end += 2
        }
    }
    return merged.subarray(0, end)
  }
}
