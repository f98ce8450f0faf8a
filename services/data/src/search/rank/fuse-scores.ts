/** A document or record, and its score in a ranking. */
type Scored<Id> = readonly [id: Id, score: number]

/**
 * Fuses a ranking by words and one by meaning to a score from 0 to 1: the mean of both scores, each on a scale from 0
 * to 1. Words count by how much of the query they match, so accidental matches of a few words count little.
 * Similarities have no fixed scale, because models differ: the least of the list is 0, the greatest 1. Bruch, Gai and
 * Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval" (TOIS 2023).
 *
 * @param maxScore the score of a document that matches the whole query
 * @param nearest ordered by similarity, greatest first
 */
export function fuseScores<Id>(
  { hits, maxScore }: { hits: readonly Scored<Id>[]; maxScore: number },
  nearest: readonly Scored<Id>[],
): Map<Id, number> {
  const [greatest, least] = [nearest[0]?.[1] ?? 0, nearest.at(-1)?.[1] ?? 0]
  const scaled = (similarity: number) => (greatest > least ? (similarity - least) / (greatest - least) : 1)
  const fused = new Map(nearest.map(([id, similarity]) => [id, scaled(similarity) / 2]))
  for (const [id, score] of hits) {
    const matched = maxScore > 0 ? Math.min(1, score / maxScore) : 0
    fused.set(id, (fused.get(id) ?? 0) + matched / 2)
  }
  return fused
}
