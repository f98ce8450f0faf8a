import { documentLengthOf, occurrencesOf, type Postings } from '../index/postings.ts'
import { inverseFrequency, saturation } from './bm25.ts'
import type { ScoreBuffers } from './buffer-pool.ts'
import { createPostingsMerger, hasOnlyLivePostings } from './merge-postings.ts'

/** The index of one source as a search sees it. Its documents are numbered from `base` on, those of all indexes through. */
export interface SearchedIndex {
  indexId: number
  base: number
  /** Of numbers given so far. */
  maxDoc: number
  /** Whether its documents may be answered; all of them count for the statistics. */
  isSelected: boolean
  configuration: string
}

/** What is looked for: a document matches with any of the lexemes, which count as one word. */
export interface QueryTerm {
  lexemes: readonly string[]
  /** The configurations the lexemes come of; indexes of others are left out. */
  configurations: ReadonlySet<string>
  weight: number
}

/** Postings of one lexeme in one index, the newest segment first. */
export type PostingsLookup = (indexId: number, lexeme: string) => readonly Postings[]

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
 * @param room in which the ranking lies: it ends with its next use
 */
export function rankByBm25(
  terms: readonly QueryTerm[],
  indexes: readonly SearchedIndex[],
  postingsOf: PostingsLookup,
  { documents, length }: { documents: number; length: number },
  room: ScoreBuffers,
): LexicalRanking {
  const gather = createPostingsReader(indexes)
  const found = terms.map((term) => gather(term, postingsOf))
  const size = indexes.reduce((end, index) => Math.max(end, index.base + index.maxDoc), 0)
  const scores = room.scores(size)
  const lengths = room.lengths(size)
  const matched = new Uint32Array(
    Math.min(
      size,
      found.reduce((sum, { wanted }) => sum + wanted, 0),
    ),
  )
  const meanLength = length / Math.max(1, documents)
  const usual = new Float64Array(usualOccurrences * usualLength)
  let matches = 0
  for (const [nth, { blocks, total }] of found.entries()) {
    const weight = (terms[nth]?.weight ?? 0) * inverseFrequency(documents, total)
    for (const block of blocks)
      matches = addBlock(block, weight, meanLength, usual, { scores, lengths, matched, matches })
  }
  return {
    documents: matched.subarray(0, matches),
    scores,
    relativeLength: (document) => (lengths[document] ?? 0) / meanLength,
    frequencies: found.map(({ total }) => total),
  }
}

/** Most postings are of few occurrences in documents of ordinary length: what those count is worked out once. */
const [usualOccurrences, usualLength] = [8, 256]

interface ScoreTable {
  scores: Float64Array
  lengths: Uint16Array
  /** Every document that has a score; the first `matches` hold. */
  matched: Uint32Array
  matches: number
}

/**
 * Adds what the postings of a term count.
 * @param usual what they count by occurrences and length, once that was worked out
 * @returns how many documents have a score now
 */
function addBlock(
  { postings, base }: Block,
  weight: number,
  meanLength: number,
  usual: Float64Array,
  to: ScoreTable,
): number {
  const { scores, lengths, matched } = to
  let { matches } = to
  for (let at = 0; at < postings.length; at += 2) {
    // Both words are there: postings are whole. Every number is below the size of `scores`.
    const number = base + (postings[at] as number)
    const word = postings[at + 1] as number
    const occurrences = occurrencesOf(word)
    const length = documentLengthOf(word)
    const isUsual = occurrences < usualOccurrences && length < usualLength
    const key = occurrences * usualLength + length
    let counts = isUsual ? (usual[key] as number) : 0
    if (counts === 0) {
      counts = saturation(occurrences, length / meanLength)
      if (isUsual) usual[key] = counts
    }
    const before = scores[number] as number
    if (before === 0) {
      matched[matches++] = number
      lengths[number] = length
    }
    scores[number] = before + weight * counts
  }
  return matches
}

/** What holds of one index, one posting a document; documents count from `base`. */
interface Block {
  postings: Postings
  base: number
}

/** What a term was found in. */
interface TermPostings {
  /** Of the indexes whose documents are wanted. */
  blocks: Block[]
  /** In how many documents it stands, wanted or not. */
  total: number
  /** In how many that are wanted. */
  wanted: number
}

/** Makes what reads the postings of a term. After a fold they are taken as they are. */
function createPostingsReader(indexes: readonly SearchedIndex[]) {
  const merge = createPostingsMerger(indexes.reduce((most, { maxDoc: size }) => Math.max(most, size), 0))

  return ({ lexemes, configurations }: QueryTerm, postingsOf: PostingsLookup): TermPostings => {
    const found: TermPostings = { blocks: [], total: 0, wanted: 0 }
    for (const { indexId, base, maxDoc: size, isSelected: isWanted, configuration } of indexes) {
      if (!configurations.has(configuration)) continue
      const read = lexemes.map((lexeme) => postingsOf(indexId, lexeme)).filter((segments) => segments.length > 0)
      const [only, ...others] = read.flat()
      if (only === undefined) continue
      const postings = others.length === 0 && hasOnlyLivePostings(only, size) ? only : merge(read, size)
      found.total += postings.length / 2
      if (!isWanted) continue
      found.blocks.push({ postings, base })
      found.wanted += postings.length / 2
    }
    return found
  }
}
