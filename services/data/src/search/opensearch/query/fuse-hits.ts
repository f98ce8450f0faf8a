/** Limits the weight of the first ranks; see rank/reciprocal-rank-fusion.ts. */
const k = 60

/** Fuses rankings of records by reciprocal rank. @returns best first, ties by id */
export function fuseHits(rankings: readonly (readonly string[])[]): { recordId: string; score: number }[] {
  const scores = new Map<string, number>()
  for (const ranking of rankings)
    for (const [nth, id] of ranking.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (k + nth + 1))
  return [...scores]
    .map(([recordId, score]) => ({ recordId, score }))
    .sort((a, b) => b.score - a.score || (a.recordId < b.recordId ? -1 : 1))
}
