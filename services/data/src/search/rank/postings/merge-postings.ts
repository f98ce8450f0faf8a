import { occurrencesOf, type Postings } from '../../../store/search/postings.ts'

/** Returns true if a segment has no tombstones and no document that was added after the index was listed. */
export function hasOnlyLivePostings(segment: Postings, maxDoc: number): boolean {
  for (let at = 0; at < segment.length; at += 2)
    // Both words exist: a segment holds whole postings.
    if ((segment[at] as number) >= maxDoc || occurrencesOf(segment[at + 1] as number) === 0) return false
  return true
}

/** Arrays of the merge of posting lists, by document number. */
export interface MergeBuffers {
  /** Number of the last list in which the document was seen. */
  seenInList: Uint32Array
  /** Number of the last merge in which the document was found. */
  foundInMerge: Uint32Array
  /** Index of the document's second word in the result of that merge. */
  wordIndexes: Uint32Array
  /** Number of lists read so far. Lists and merges are numbered from 1, so that the arrays need not be cleared. */
  lists: number
  /** Number of merges so far. */
  merges: number
}

/** Returns zeroed buffers for documents whose numbers are less than `size`. */
export const createMergeBuffers = (size: number): MergeBuffers => ({
  seenInList: new Uint32Array(size),
  foundInMerge: new Uint32Array(size),
  wordIndexes: new Uint32Array(size),
  lists: 0,
  merges: 0,
})

/** Returns true if so many more lists can be numbered by 32 bits. */
export const isUsable = ({ lists }: MergeBuffers, nextLists: number): boolean => lists + nextLists < 2 ** 32

/**
 * Merges posting lists of lexemes which score as one term. In each list the newest segment comes first, and only the
 * first posting of a document counts; occurrences in different lists add up.
 * @param maxDoc documents with higher numbers are left out; at most the size of the buffers
 * @param merged as long as all segments together
 * @returns the written part of `merged`
 */
export function mergePostings(
  lexemeLists: readonly (readonly Postings[])[],
  maxDoc: number,
  buffers: MergeBuffers,
  merged: Postings,
): Postings {
  const { seenInList, foundInMerge, wordIndexes } = buffers
  buffers.merges++
  const { merges } = buffers
  let end = 0
  for (const segments of lexemeLists) {
    buffers.lists++
    const { lists } = buffers
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

/** Returns the postings of the documents that are in every list, with the fewest occurrences of any. */
export function intersectPostings(lists: readonly Postings[]): Postings {
  const [shortest = new Uint32Array(0), ...others] = lists.toSorted((a, b) => a.length - b.length)
  let found = new Map<number, number>()
  for (let at = 0; at < shortest.length; at += 2) found.set(shortest[at] as number, shortest[at + 1] as number)
  for (const list of others) {
    const both = new Map<number, number>()
    for (let at = 0; at < list.length; at += 2) {
      // Both words exist: a list holds whole postings.
      const [document, word] = [list[at] as number, list[at + 1] as number]
      const before = found.get(document)
      // The length of the document, in the lower half, is the same in both.
      if (before !== undefined) both.set(document, Math.min(before, word))
    }
    found = both
  }
  return Uint32Array.from([...found].flat())
}
