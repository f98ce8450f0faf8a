/** Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009); the usual parameters. */
const k1 = 1.2
const b = 0.75

/** What a word of the title counts, in words of the text: in occurrences and in length. */
export const titleWeight = 2

/** How rare a word is among `documents`, of which it stands in `frequency`; Lucene's form, which is never negative. */
export const inverseFrequency = (documents: number, frequency: number): number =>
  Math.log(1 + (Math.max(documents, frequency) - frequency + 0.5) / (frequency + 0.5))

/**
 * What the occurrences of a word count in a document, from 0 to `k1 + 1`.
 * @param relativeLength the document's length over the mean length
 */
export const saturation = (occurrences: number, relativeLength: number): number =>
  (occurrences * (k1 + 1)) / (occurrences + k1 * (1 - b + b * relativeLength))
