import { titleWeight } from '../../store/search/write-index.ts'
import { saturation } from './bm25.ts'
import { type RankingPolicy, rankingPolicy } from './ranking-policy.ts'

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

/**
 * Creates the function that boosts a document for the exact wording of a query. It applies the saturation of BM25 to word
 * forms and to pairs of them; the weight of a pair is the mean IDF of its words. Lexemes alone cannot tell
 * `universities` from `universe` (both are `univers`), nor one word order from another.
 *
 * @param words of the query, in order, without stop words
 * @returns the addition to a document's score, at least 0; `relativeLength` is its length divided by the mean length
 */
export function createProximityBoost(words: readonly QueryWord[], policy: RankingPolicy = rankingPolicy) {
  const { formWeight, pairWeight, maxPairDistance } = policy
  const pairs = listPairs(words, maxPairDistance)
  const forms = new Set(words.map(({ form }) => form))
  return (title: string | null, text: string | null, relativeLength: number): number => {
    const parts = [
      { positions: findPositions(forms, title), weight: titleWeight },
      { positions: findPositions(forms, text), weight: 1 },
    ]
    const saturated = (count: (positions: Positions) => number) => {
      const occurrences = parts.reduce((sum, { positions, weight }) => sum + weight * count(positions), 0)
      return occurrences === 0 ? 0 : saturation(occurrences, relativeLength, policy)
    }
    let boost = 0
    for (const { form, idf } of words)
      boost += formWeight * idf * saturated((positions) => positions.get(form)?.length ?? 0)
    for (const [first, second] of pairs) {
      const meanIdf = (first.idf + second.idf) / 2
      boost +=
        pairWeight * meanIdf * saturated((positions) => countPairs(positions, first.form, second.form, maxPairDistance))
    }
    return boost
  }
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
