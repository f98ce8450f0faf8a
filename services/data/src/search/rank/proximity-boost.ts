import { saturation, titleWeight } from './bm25.ts'

/** A word of a query as it is written, in small letters without accents. */
export interface QueryWord {
  form: string
  /** Its place among all words of the query. */
  position: number
  /** The inverse frequency of its lexeme. */
  idf: number
}

/** What a word counts once more where a document has it in the very form that was asked for. */
const formWeight = 0.25
/** What two words count that stand near each other in the query and in the document, in the same order. */
const pairWeight = 0.2
/** Words that are near: at most this many places on. */
const maxDistance = 3

/** The words of a text as they are written, with their accents. */
export const extractWords = (text: string): string[] => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

/** Small letters without accents, so that forms can be compared. */
export const normalizeText = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()

/**
 * Makes what says how much a document words it like a query: BM25 once more, over forms and over pairs of them, where
 * the rarity of a pair is the mean of both. Lexemes know neither: `universities` is `univers`, and so is `universe`.
 *
 * @param forms of the query, in order, without those that are too common
 * @returns what to add to the score of a document, 0 and more; `relativeLength` is its length over the mean length
 */
export function createProximityBoost(forms: readonly QueryWord[]) {
  const pairs = pairsWithin(forms)
  const asked = new Set(forms.map(({ form }) => form))
  return (title: string | null, text: string | null, relativeLength: number): number => {
    const parts = [
      { places: findPositions(asked, title), weight: titleWeight },
      { places: findPositions(asked, text), weight: 1 },
    ]
    const counted = (count: (places: Positions) => number) => {
      const occurrences = parts.reduce((sum, { places, weight }) => sum + weight * count(places), 0)
      return occurrences === 0 ? 0 : saturation(occurrences, relativeLength)
    }
    let score = 0
    for (const { form, idf: rarity } of forms)
      score += formWeight * rarity * counted((places) => places.get(form)?.length ?? 0)
    for (const [one, other] of pairs)
      score += pairWeight * ((one.idf + other.idf) / 2) * counted((places) => countPairs(places, one.form, other.form))
    return score
  }
}

/** Different words of the query that are near each other, each pair once. */
function pairsWithin(forms: readonly QueryWord[]): [QueryWord, QueryWord][] {
  const pairs = new Map<string, [QueryWord, QueryWord]>()
  for (const [nth, one] of forms.entries())
    for (const other of forms.slice(nth + 1, nth + 1 + maxDistance)) {
      if (other.position - one.position > maxDistance || other.form === one.form) continue
      const key = `${one.form} ${other.form}`
      if (!pairs.has(key)) pairs.set(key, [one, other])
    }
  return [...pairs.values()]
}

type Positions = ReadonlyMap<string, readonly number[]>

function findPositions(asked: ReadonlySet<string>, text: string | null): Positions {
  const places = new Map<string, number[]>()
  for (const [place, form] of extractWords(normalizeText(text ?? '')).entries()) {
    if (!asked.has(form)) continue
    const known = places.get(form)
    if (known === undefined) places.set(form, [place])
    else known.push(place)
  }
  return places
}

/** How often one word is followed by the other, not far behind. */
function countPairs(places: Positions, one: string, other: string): number {
  const [before, after] = [places.get(one), places.get(other)]
  if (before === undefined || after === undefined) return 0
  let [times, next] = [0, 0]
  for (const place of before) {
    while (next < after.length && (after[next] ?? 0) <= place) next++
    const following = after[next]
    if (following !== undefined && following - place <= maxDistance) times++
  }
  return times
}
