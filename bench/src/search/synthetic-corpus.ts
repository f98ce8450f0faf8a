import { createRandom } from '@wp/lab/random'

/** Word frequencies follow Zipf's law: the n-th word is 1/n times as frequent as the first. */
const vocabularySize = 20_000

/** Returns the word of a frequency rank, from 0. The words have no ending that a stemmer would remove. */
function wordOf(rank: number): string {
  const syllables = ['ba', 'ko', 'mi', 'tu', 'ra', 'no', 'pi', 'du', 'ga', 'zo', 'vi', 'ku', 'fa', 'to', 'li', 'mu']
  let word = ''
  for (let rest = rank + 16; rest > 0; rest = Math.floor(rest / 16)) word += syllables[rest % 16]
  return `${word}k`
}

/** Draws a rank from Zipf's distribution, with the inverse of its continuous form. */
const drawRank = (random: () => number) => Math.min(vocabularySize, Math.floor(vocabularySize ** random())) - 1

const generateWords = (random: () => number, count: number) =>
  Array.from({ length: count }, () => wordOf(drawRank(random))).join(' ')

/** Generates lines of NDJSON records with a title of 4 words and a text of 20 to 60 words. */
export function* generateRecords(count: number, seed: number): Generator<string> {
  const random = createRandom(seed).next
  for (let id = 0; id < count; id++) {
    const title = generateWords(random, 4)
    const text = generateWords(random, 20 + Math.floor(random() * 41))
    yield `${JSON.stringify({ id: String(id), title, text })}\n`
  }
}

/** Generators of queries, by kind. */
export const queryKinds: Readonly<Record<string, (random: () => number) => string>> = {
  'one rare word': (random) => `${wordOf(5_000 + Math.floor(random() * 10_000))} `,
  'one common word': (random) => `${wordOf(Math.floor(random() * 10))} `,
  'three words': (random) => `${generateWords(random, 3)} `,
  'sentence of ten words': (random) => `${generateWords(random, 10)}.`,
  'unfinished word': (random) => wordOf(drawRank(random)).slice(0, -2),
}
