import type { RankingPolicy } from './ranking-policy.ts'

/** Returns the IDF of a term in `frequency` of `documents` documents; Lucene's form, which is never negative. */
export const inverseDocumentFrequency = (documents: number, frequency: number): number =>
  Math.log(1 + (Math.max(documents, frequency) - frequency + 0.5) / (frequency + 0.5))

/**
 * Returns the saturated term frequency, from 0 to `k1 + 1`.
 * @param relativeLength length of the document divided by the mean length
 */
export const saturation = (
  occurrences: number,
  relativeLength: number,
  { k1, b }: Pick<RankingPolicy, 'k1' | 'b'>,
): number => (occurrences * (k1 + 1)) / (occurrences + k1 * (1 - b + b * relativeLength))
