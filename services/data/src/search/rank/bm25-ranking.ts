import { documentLengthOf, occurrencesOf, type Postings } from '../../store/search/postings.ts'
import { inverseDocumentFrequency, saturation } from './bm25.ts'
import type { ScoreBuffers } from './postings/buffer-pool.ts'
import { hasOnlyLivePostings, intersectPostings, mergePostings } from './postings/merge-postings.ts'
import { type RankingPolicy, rankingPolicy } from './ranking-policy.ts'

/** The index of one source within a search. Documents of all indexes share one numbering; these start at `base`. */
export interface SearchedIndex {
  indexId: number
  base: number
  /** One more than the highest document number of the index when it was listed. */
  maxDoc: number
  /** True if its documents may be hits. Documents of all indexes count for the statistics. */
  isSelected: boolean
  configuration: string
}

/** A word of a query. A document matches if it contains any of the lexemes; together they score as one term. */
export interface QueryTerm {
  lexemes: readonly string[]
  /** True if a document matches only if it contains all of the lexemes. */
  isConjunction?: boolean
  /** Text search configurations that produce these lexemes; indexes with another one are skipped. */
  configurations: ReadonlySet<string>
  weight: number
}

/** Returns the segments of a lexeme in an index, newest first. */
export type PostingsLookup = (indexId: number, lexeme: string) => readonly Postings[]

export interface Ranking {
  /** Numbers of the matching documents, unordered. */
  documents: Uint32Array
  /** Scores by document number. */
  scores: Float64Array
  /** The best documents, in order, as far as they are known. */
  best?: readonly number[]
}

export interface LexicalRanking extends Ranking {
  /** Returns the length of a matching document divided by the mean length. */
  relativeLength(document: number): number
  /** Document frequency of each term, in the order of the terms. */
  frequencies: number[]
  /** The score of a document that has every term any number of times, also those that no document has. */
  maxScore: number
}

/**
 * Scores every document that matches a term by BM25. Uses plain loops over typed arrays, because a common word occurs
 * in tens of thousands of documents.
 * @param statistics document count and total length of all indexes
 * @param buffers hold the returned documents and scores, which are valid until the buffers are used again
 * @param yieldIfDue is called between terms and between indexes
 */
export async function rankByBm25(
  terms: readonly QueryTerm[],
  indexes: readonly SearchedIndex[],
  lookup: PostingsLookup,
  { documents, length }: { documents: number; length: number },
  buffers: ScoreBuffers,
  yieldIfDue: () => Promise<void>,
  policy: RankingPolicy = rankingPolicy,
): Promise<LexicalRanking> {
  buffers.releasePostings()
  const readPostings = createPostingsReader(indexes, buffers)
  const found: TermPostings[] = []
  for (const term of terms) {
    found.push(readPostings(term, lookup))
    await yieldIfDue()
  }
  const maxDoc = indexes.reduce((max, index) => Math.max(max, index.base + index.maxDoc), 0)
  const selected = found.reduce((sum, { selectedFrequency }) => sum + selectedFrequency, 0)
  const table: ScoreTable = {
    scores: buffers.scores(maxDoc),
    lengths: buffers.lengths(maxDoc),
    matched: buffers.documents(Math.min(maxDoc, selected)),
    matches: 0,
  }
  const meanLength = length / Math.max(1, documents)
  const saturations = { policy, meanLength, table: new Float64Array(commonOccurrences * commonLength) }
  let maxScore = 0
  for (const [nth, { blocks, frequency }] of found.entries()) {
    const weight = (terms[nth]?.weight ?? 0) * inverseDocumentFrequency(documents, frequency)
    maxScore += weight * (policy.k1 + 1)
    for (const block of blocks) {
      table.matches = scoreBlock(block, weight, saturations, table)
      await yieldIfDue()
    }
  }
  const { scores, lengths, matched, matches } = table
  return {
    documents: matched.subarray(0, matches),
    scores,
    relativeLength: (document) => (lengths[document] ?? 0) / meanLength,
    frequencies: found.map(({ frequency }) => frequency),
    maxScore,
  }
}

/** Most postings have fewer occurrences and a shorter document than this; their saturation is computed once. */
const [commonOccurrences, commonLength] = [8, 256]

interface ScoreTable {
  scores: Float64Array
  lengths: Uint16Array
  /** Numbers of the documents with a score; only the first `matches` are valid. */
  matched: Uint32Array
  matches: number
}

/**
 * Adds the scores of one term.
 * @param saturations the table caches saturation by occurrences and length; 0 means not computed yet
 * @returns the number of documents with a score
 */
function scoreBlock(
  { postings, base }: PostingsBlock,
  weight: number,
  { policy, meanLength, table: saturationTable }: { policy: RankingPolicy; meanLength: number; table: Float64Array },
  table: ScoreTable,
): number {
  const { scores, lengths, matched } = table
  let { matches } = table
  for (let at = 0; at < postings.length; at += 2) {
    // Both words exist: postings are whole. Every number is below the length of `scores`.
    const number = base + (postings[at] as number)
    const word = postings[at + 1] as number
    const occurrences = occurrencesOf(word)
    const length = documentLengthOf(word)
    const isCommon = occurrences < commonOccurrences && length < commonLength
    const key = occurrences * commonLength + length
    let saturated = isCommon ? (saturationTable[key] as number) : 0
    if (saturated === 0) {
      saturated = saturation(occurrences, length / meanLength, policy)
      if (isCommon) saturationTable[key] = saturated
    }
    const before = scores[number] as number
    if (before === 0) {
      matched[matches++] = number
      lengths[number] = length
    }
    scores[number] = before + weight * saturated
  }
  return matches
}

/** The postings of a term in one index: one posting a document, no tombstones. */
interface PostingsBlock {
  postings: Postings
  base: number
}

interface TermPostings {
  /** Of the selected indexes. */
  blocks: PostingsBlock[]
  /** Number of matching documents in all indexes. */
  frequency: number
  /** Number of matching documents in the selected indexes. */
  selectedFrequency: number
}

/** Creates the reader of a term's postings. A single segment without tombstones is used without copying. */
function createPostingsReader(indexes: readonly SearchedIndex[], buffers: ScoreBuffers) {
  const maxDocOfLargest = indexes.reduce((max, { maxDoc }) => Math.max(max, maxDoc), 0)
  const merge = (lists: readonly (readonly Postings[])[], maxDoc: number): Postings => {
    const words = lists.flat().reduce((sum, { length }) => sum + length, 0)
    return mergePostings(lists, maxDoc, buffers.merge(maxDocOfLargest, lists.length), buffers.postings(words))
  }

  return ({ lexemes, configurations, isConjunction = false }: QueryTerm, lookup: PostingsLookup): TermPostings => {
    const found: TermPostings = { blocks: [], frequency: 0, selectedFrequency: 0 }
    for (const { indexId, base, maxDoc, isSelected, configuration } of indexes) {
      if (!configurations.has(configuration)) continue
      const lists = lexemes.map((lexeme) => lookup(indexId, lexeme)).filter((segments) => segments.length > 0)
      const [only, ...others] = lists.flat()
      if (only === undefined || (isConjunction && lists.length < lexemes.length)) continue
      const mergeLists = () =>
        isConjunction ? intersectPostings(lists.map((list) => merge([list], maxDoc))) : merge(lists, maxDoc)
      const postings = others.length === 0 && hasOnlyLivePostings(only, maxDoc) ? only : mergeLists()
      found.frequency += postings.length / 2
      if (!isSelected) continue
      found.blocks.push({ postings, base })
      found.selectedFrequency += postings.length / 2
    }
    return found
  }
}
