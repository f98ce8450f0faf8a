/** The parameters of the ranking by words. docs/decisions/search-index.md says how they were chosen. */
export interface RankingPolicy {
  /** The parameters of BM25; see Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009). */
  k1: number
  b: number
  /** Weight of a document containing the exact form of a query word, if no other good match does; 1 is the lexeme's. */
  formWeight: number
  /** Weight of two query words that occur close together and in the order of the query. */
  pairWeight: number
  /** Maximum distance of such a pair, in words. */
  maxPairDistance: number
  /** Weight of the completions of the last word if it is itself a known word. */
  prefixWeight: number
  /** Weight of the words by which an unknown word is corrected. */
  correctedWeight: number
  /** Unknown words are corrected if there are at most so many: with more, the records do not cover the subject. */
  maxCorrectedWords: number
  /** Of a query without a match, the first so many words are respelled. */
  maxRespelledWords: number
}

export const rankingPolicy: RankingPolicy = {
  k1: 1.2,
  b: 0.75,
  formWeight: 0.5,
  pairWeight: 0.4,
  maxPairDistance: 3,
  prefixWeight: 0.25,
  correctedWeight: 0.5,
  maxCorrectedWords: 3,
  maxRespelledWords: 3,
}
