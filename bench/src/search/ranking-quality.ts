export interface RankingQuality {
  'nDCG@10': number
  'recall@100': number
}

/**
 * How good rankings are, as a mean over questions (Järvelin and Kekäläinen 2002, as trec_eval's ndcg_cut_10 and
 * recall_100 have it).
 */
export function measureRankingQuality(
  answers: readonly { relevant: ReadonlyMap<string, number>; ranked: readonly string[] }[],
): RankingQuality {
  const judged = answers.filter(({ relevant }) => relevant.size > 0)
  const mean = (of: (answer: (typeof judged)[number]) => number) =>
    judged.reduce((sum, answer) => sum + of(answer), 0) / Math.max(1, judged.length)
  return {
    'nDCG@10': mean(({ relevant, ranked }) => {
      const ideal = [...relevant.values()].sort((one, other) => other - one)
      return gain(ranked.slice(0, 10).map((id) => relevant.get(id) ?? 0)) / gain(ideal.slice(0, 10))
    }),
    'recall@100': mean(
      ({ relevant, ranked }) => ranked.slice(0, 100).filter((id) => relevant.has(id)).length / relevant.size,
    ),
  }
}

const gain = (grades: readonly number[]) => grades.reduce((sum, grade, at) => sum + grade / Math.log2(at + 2), 0)
