import { inverseFrequency, saturation } from './bm25.ts'
import { lengthOf, occurrencesOf, type Postings } from './postings.ts'

/** The index of one source as a search sees it. Its documents are numbered from `base` on, those of all indexes through. */
export interface SearchedIndex {
  indexId: number
  base: number
  /** Of numbers given so far. */
  size: number
  /** Whether its documents may be answered; all of them count for the statistics. */
  isWanted: boolean
  configuration: string
}

/** What is looked for: a document matches with any of the lexemes, which count as one word. */
export interface Term {
  lexemes: readonly string[]
  /** The configurations the lexemes come of; indexes of others are left out. */
  configurations: ReadonlySet<string>
  weight: number
}

/** Postings of one lexeme in one index, the newest segment first. */
export type PostingsOf = (indexId: number, lexeme: string) => readonly Postings[]

export interface Ranking {
  /** The documents that match, in no order. */
  documents: Uint32Array
  /** The score of each document, by its number. */
  scores: Float64Array
}

/** A ranking by words. */
export interface LexicalRanking extends Ranking {
  /** Of each document that matches, its length over the mean length. */
  relativeLength(document: number): number
  /** In how many documents each term stands, in the order they were given. */
  frequencies: number[]
}

/**
 * Scores every document that holds one of the terms by BM25. Plain loops over typed arrays: a common word stands in
 * tens of thousands of documents.
 */
export function rank(
  terms: readonly Term[],
  indexes: readonly SearchedIndex[],
  postingsOf: PostingsOf,
  { documents, length }: { documents: number; length: number },
): LexicalRanking {
  const size = indexes.reduce((end, index) => Math.max(end, index.base + index.size), 0)
  const scores = new Float64Array(size)
  const matched = new Uint32Array(size)
  const lengths = new Uint16Array(size)
  const frequencies: number[] = []
  let matches = 0
  const gather = createGatherer(size)
  const meanLength = length / Math.max(1, documents)
  for (const term of terms) {
    const { numbers, words, count, total } = gather(term, indexes, postingsOf)
    const weight = term.weight * inverseFrequency(documents, total)
    frequencies.push(total)
    for (let at = 0; at < count; at++) {
      // Up to `count` both are written, and every number is below `size`.
      const [number, word] = [numbers[at] as number, words[at] as number]
      const before = scores[number] as number
      if (before === 0) {
        matched[matches++] = number
        lengths[number] = lengthOf(word)
      }
      scores[number] = before + weight * saturation(occurrencesOf(word), lengthOf(word) / meanLength)
    }
  }
  return {
    documents: matched.subarray(0, matches),
    scores,
    relativeLength: (document) => (lengths[document] ?? 0) / meanLength,
    frequencies,
  }
}

/** What a term was found in. */
interface Found {
  /** Wanted documents, and their postings' second words; the first `count` of each hold. */
  numbers: Uint32Array
  words: Uint32Array
  count: number
  /** In how many documents it stands, wanted or not. */
  total: number
}

/** Room is made when it is needed: after a fold, and for words without continuations, it is not. */
const nothing = new Uint32Array(0)

/**
 * Reads the postings of a term. What a later segment says of a document stands for what an earlier one did: the newest
 * is read first, and of every document only the first posting counts.
 */
function createGatherer(size: number) {
  /** The last reading that met the document. */
  let met = nothing
  /** The last term that found the document, and where it lies among what that found. */
  let finder = nothing
  let places = nothing
  let readings = 0
  let terms = 0

  return (term: Term, indexes: readonly SearchedIndex[], postingsOf: PostingsOf): Found => {
    terms++
    const read = indexes
      .filter(({ configuration }) => term.configurations.has(configuration))
      .flatMap((index) => term.lexemes.map((lexeme) => ({ index, segments: postingsOf(index.indexId, lexeme) })))
    const room = read.reduce((sum, { segments }) => sum + segments.reduce((words, one) => words + one.length, 0), 0) / 2
    const [numbers, words] = [new Uint32Array(room), new Uint32Array(room)]
    const isOne = term.lexemes.length === 1
    if (!isOne && finder === nothing) [finder, places] = [new Uint32Array(size), new Uint32Array(size)]
    let [count, total] = [0, 0]
    for (const { index, segments } of read) {
      const { base, isWanted } = index
      const isAlone = segments.length === 1
      if (!isAlone && met === nothing) met = new Uint32Array(size)
      readings++
      for (const segment of segments) {
        for (let at = 0; at < segment.length; at += 2) {
          // Both words are there: a segment holds whole postings.
          const [document, word] = [segment[at] as number, segment[at + 1] as number]
          if (document >= index.size) continue
          const number = base + document
          if (!isAlone) {
            if (met[number] === readings) continue
            met[number] = readings
          }
          if (occurrencesOf(word) === 0) continue
          if (!isOne) {
            if (finder[number] === terms) {
              // It was found with another lexeme: the occurrences add up.
              if (isWanted)
                words[places[number] as number] = (words[places[number] as number] as number) + (word & ~0xffff)
              continue
            }
            finder[number] = terms
            places[number] = count
          }
          total++
          if (!isWanted) continue
          numbers[count] = number
          words[count++] = word
        }
      }
    }
    return { numbers, words, count, total }
  }
}
