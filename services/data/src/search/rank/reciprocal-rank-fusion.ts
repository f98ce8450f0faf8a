import type { Ranking } from './bm25-ranking.ts'
import { createTopKReader } from './top-k.ts'

/** How much the very first places count more than those behind them; as in the paper. */
const k = 60

/**
 * Reciprocal rank fusion: a document counts 1 / (60 + its place) in each ranking, from 1 on. Scores of different kinds
 * need not be compared. Cormack, Clarke and Buettcher, "Reciprocal rank fusion outperforms Condorcet and individual rank
 * learning methods" (SIGIR 2009).
 *
 * @param rankings of the same documents
 * @param depth how many of each ranking count
 */
export function fuseRankings(rankings: readonly Ranking[], size: number, depth: number): Ranking {
  const scores = new Float64Array(size)
  const found = new Set<number>()
  for (const ranking of rankings)
    for (const [nth, document] of createTopKReader(ranking, depth)(depth).entries()) {
      found.add(document)
      scores[document] = (scores[document] ?? 0) + 1 / (k + nth + 1)
    }
  return { documents: Uint32Array.from(found), scores }
}
