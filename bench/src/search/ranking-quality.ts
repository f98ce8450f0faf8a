export interface RankingQuality {
  'nDCG@10': number
  'recall@100': number
}

/**
 * Returns the mean quality of the rankings over all questions, like ndcg_cut_10 and recall_100 of trec_eval.
 *
 * @see Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, 2002
 */
export function measureRankingQuality(
  questions: readonly { relevant: ReadonlyMap<string, number>; ranked: readonly string[] }[],
): RankingQuality {
  const judged = questions.filter(({ relevant }) => relevant.size > 0)
  const mean = (measure: (question: (typeof judged)[number]) => number) =>
    judged.reduce((sum, question) => sum + measure(question), 0) / Math.max(1, judged.length)
  return {
    'nDCG@10': mean(({ relevant, ranked }) => {
      const ideal = [...relevant.values()].sort((a, b) => b - a)
      return gain(ranked.slice(0, 10).map((id) => relevant.get(id) ?? 0)) / gain(ideal.slice(0, 10))
    }),
    'recall@100': mean(
      ({ relevant, ranked }) => ranked.slice(0, 100).filter((id) => relevant.has(id)).length / relevant.size,
    ),
  }
}

/** Returns the discounted cumulative gain. */
const gain = (grades: readonly number[]) => grades.reduce((sum, grade, index) => sum + grade / Math.log2(index + 2), 0)
