import { titleWeight } from '../../store/search/write-index.ts'
import { inverseDocumentFrequency, saturation } from './bm25.ts'
import type { RankingPolicy } from './ranking-policy.ts'

/** A word form of a query, in lower case without accents. */
export interface QueryWord {
  form: string
  /** Position among all words of the query. */
  position: number
  /** Inverse document frequency of its lexeme. */
  idf: number
}

/** Returns the words of a text as written, with accents. */
export const extractWords = (text: string): string[] => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

/** Lower-cases a text and removes accents, so that word forms can be compared. */
export const normalizeText = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()

/** A word form, or a pair of them, of a query that a document contains. */
export interface FoundWording {
  /** The same for the same form or pair in every document. */
  key: string
  weight: number
  /** Occurrences in the document; those in the title count twice. */
  occurrences: number
}

/**
 * Creates the function that finds the exact wording of a query in a document: word forms, and pairs of them. The weight
 * of a pair is the mean IDF of its words. Lexemes alone cannot tell `universities` from `universe` (both are
 * `univers`), nor one word order from another.
 * @param words of the query, in order, without stop words
 */
export function createWordingFinder(
  words: readonly QueryWord[],
  { formWeight, pairWeight, maxPairDistance }: RankingPolicy,
): (title: string | null, text: string | null) => FoundWording[] {
  const forms = new Set(words.map(({ form }) => form))
  const searched = [
    ...words.map(({ form, idf }) => ({
      key: form,
      weight: formWeight * idf,
      count: (positions: Positions) => positions.get(form)?.length ?? 0,
    })),
    ...listPairs(words, maxPairDistance).map(([first, second]) => ({
      key: `${first.form} ${second.form}`,
      weight: (pairWeight * (first.idf + second.idf)) / 2,
      count: (positions: Positions) => countPairs(positions, first.form, second.form, maxPairDistance),
    })),
  ]
  return (title, text) => {
    const [inTitle, inText] = [findPositions(forms, title), findPositions(forms, text)]
    return searched
      .map(({ key, weight, count }) => ({ key, weight, occurrences: titleWeight * count(inTitle) + count(inText) }))
      .filter(({ occurrences }) => occurrences > 0)
  }
}

/**
 * Returns the additions to the scores of documents, at least 0, by the saturation of BM25. What most of these documents
 * contain says little about which of them is best, so it counts less: the parts of a long name would otherwise outweigh
 * the other words of a query.
 * @param documents relativeLength: the length divided by the mean length
 */
export function computeBoosts(
  documents: readonly { found: readonly FoundWording[]; relativeLength: number }[],
  policy: RankingPolicy,
): number[] {
  const frequencies = new Map<string, number>()
  for (const key of documents.flatMap(({ found }) => [...new Set(found.map(({ key }) => key))]))
    frequencies.set(key, (frequencies.get(key) ?? 0) + 1)
  const rarestIdf = inverseDocumentFrequency(documents.length, 1)
  const rarityOf = (key: string) => inverseDocumentFrequency(documents.length, frequencies.get(key) ?? 0) / rarestIdf
  return documents.map(({ found, relativeLength }) =>
    found.reduce(
      (sum, { key, weight, occurrences }) =>
        sum + weight * rarityOf(key) * saturation(occurrences, relativeLength, policy),
      0,
    ),
  )
}

/** Returns pairs of different words within the maximum distance in the query; each pair of forms once. */
function listPairs(words: readonly QueryWord[], maxDistance: number): [QueryWord, QueryWord][] {
  const pairs = new Map<string, [QueryWord, QueryWord]>()
  for (const [nth, first] of words.entries())
    for (const second of words.slice(nth + 1, nth + 1 + maxDistance)) {
      if (second.position - first.position > maxDistance || second.form === first.form) continue
      const key = `${first.form} ${second.form}`
      if (!pairs.has(key)) pairs.set(key, [first, second])
    }
  return [...pairs.values()]
}

/** Word positions of each form in a text, ascending. */
type Positions = ReadonlyMap<string, readonly number[]>

function findPositions(forms: ReadonlySet<string>, text: string | null): Positions {
  const positions = new Map<string, number[]>()
  for (const [position, form] of extractWords(normalizeText(text ?? '')).entries()) {
    if (!forms.has(form)) continue
    const known = positions.get(form)
    if (known === undefined) positions.set(form, [position])
    else known.push(position)
  }
  return positions
}

/** Counts occurrences of the first form that are followed by the second within the maximum distance. */
function countPairs(positions: Positions, first: string, second: string, maxDistance: number): number {
  const [firsts, seconds] = [positions.get(first), positions.get(second)]
  if (firsts === undefined || seconds === undefined) return 0
  let [count, next] = [0, 0]
  for (const position of firsts) {
    while (next < seconds.length && (seconds[next] ?? 0) <= position) next++
    const following = seconds[next]
    if (following !== undefined && following - position <= maxDistance) count++
  }
  return count
}
