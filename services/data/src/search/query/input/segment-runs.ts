import { listClusters, listRuns } from '../../../store/search/text/unspaced-text.ts'

/** A run up to this length is one word: dictionaries divide many words, such as the Thai one for manager. */
const [maxIdeographicWord, maxAlphabeticWord] = [4, 12]
/** A longer run is searched by its words only, because no document is expected to have all of it. */
const maxRunLength = 32

/**
 * Returns the words of the runs of letters without spaces in a query. A long run is divided by the dictionaries of
 * `Intl.Segmenter`, and is also a word itself, which ranks documents with all of it first. How it is divided does not
 * decide what can be found, because documents are indexed by pairs of letters.
 */
export function segmentRuns(parts: readonly string[]): string[] {
  const words = parts.flatMap(listRuns).flatMap(segmentRun)
  const significant = words.filter((word) => !isParticle(word))
  return [...new Set(significant.length > 0 ? significant : words)]
}

function segmentRun(run: string): string[] {
  const length = listClusters(run).length
  if (length <= (/\p{sc=Han}|\p{scx=Kana}/u.test(run) ? maxIdeographicWord : maxAlphabeticWord)) return [run]
  const words: string[] = []
  let isAdjacent = false
  for (const { segment } of new Intl.Segmenter('und', { granularity: 'word' }).segment(run)) {
    const isLetter = listClusters(segment).length === 1
    // A single letter ends the word before it, as in 経営者.
    if (isLetter && isAdjacent && !isParticle(segment)) words.push(`${words.pop() ?? ''}${segment}`)
    else words.push(segment)
    isAdjacent = !isParticle(segment)
  }
  return length <= maxRunLength ? [...words, run] : words
}

/** A single hiragana, which is grammar rather than a word. */
const isParticle = (word: string): boolean => /^\p{sc=Hiragana}$/u.test(word)
