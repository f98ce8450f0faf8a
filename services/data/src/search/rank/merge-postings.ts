import { occurrencesOf, type Postings } from '../index/postings.ts'

/** Whether all of a segment holds, and is of documents that were there when the index was listed. */
export function hasOnlyLivePostings(segment: Postings, size: number): boolean {
  for (let at = 0; at < segment.length; at += 2)
    // Both words are there: a segment holds whole postings.
    if ((segment[at] as number) >= size || occurrencesOf(segment[at + 1] as number) === 0) return false
  return true
}

/**
 * Makes what reads several segments, of one lexeme or of some that count as one. What a later segment says of a document
 * stands for what an earlier one did: the newest is read first, and of every document only the first posting counts.
 *
 * @param size of the largest index
 */
export function createPostingsMerger(size: number) {
  /** Room is made when it is needed. The last reading that met the document. */
  let met = new Uint32Array(0)
  /** The last merge that found the document, and where it lies among what that found. */
  let finder = met
  let places = met
  let [readings, merges] = [0, 0]

  return (read: readonly (readonly Postings[])[], indexSize: number): Postings => {
    if (met.length < size) [met, finder, places] = [new Uint32Array(size), new Uint32Array(size), new Uint32Array(size)]
    merges++
    const merged = new Uint32Array(read.flat().reduce((words, segment) => words + segment.length, 0))
    let end = 0
    for (const segments of read) {
      readings++
      for (const segment of segments)
        for (let at = 0; at < segment.length; at += 2) {
          // Both words are there: a segment holds whole postings.
          const [document, word] = [segment[at] as number, segment[at + 1] as number]
          if (document >= indexSize || met[document] === readings) continue
          met[document] = readings
          if (occurrencesOf(word) === 0) continue
          if (finder[document] === merges) {
            // It was found with another lexeme: the occurrences add up.
            const place = places[document] as number
            merged[place] = (merged[place] as number) + (word & ~0xffff)
            continue
          }
          finder[document] = merges
          merged[end] = document
          places[document] = end + 1
          merged[end + 1] = word
          end += 2
        }
    }
    return merged.subarray(0, end)
  }
}
