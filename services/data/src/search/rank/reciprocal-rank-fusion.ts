import type { Ranking } from './bm25-ranking.ts'
import { createTopKReader } from './top-k.ts'

/** Limits the weight of the first ranks; the value of the paper. */
const k = 60

/**
 * Fuses rankings by reciprocal rank: a document scores the sum of 1 / (60 + rank), with ranks from 1. Works without
 * comparing scores of different kinds. Cormack, Clarke and Buettcher, "Reciprocal rank fusion outperforms Condorcet and
 * individual rank learning methods" (SIGIR 2009).
 *
 * @param rankings of the same document numbering
 * @param maxDoc one more than the highest document number
 * @param depth number of documents of each ranking that count
 */
export function fuseRankings(rankings: readonly Ranking[], maxDoc: number, depth: number): Ranking {
  const scores = new Float64Array(maxDoc)
  const documents = new Set<number>()
  for (const ranking of rankings)
    for (const [nth, document] of createTopKReader(ranking, depth)(depth).entries()) {
      documents.add(document)
      scores[document] = (scores[document] ?? 0) + 1 / (k + nth + 1)
    }
  return { documents: Uint32Array.from(documents), scores }
}
