/** Words by Zipf's law: the n-th most frequent comes about 1/n times as often as the first. */
const vocabulary = 20_000

/** The same numbers at every run. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The n-th most frequent word, from 0: made of syllables, so that no stemmer takes anything off. */
export function wordOf(rank: number): string {
  const syllables = ['ba', 'ko', 'mi', 'tu', 'ra', 'no', 'pi', 'du', 'ga', 'zo', 'vi', 'ku', 'fa', 'to', 'li', 'mu']
  let word = ''
  for (let rest = rank + 16; rest > 0; rest = Math.floor(rest / 16)) word += syllables[rest % 16]
  return `${word}k`
}

/** Draws a rank by Zipf's law, by the inverse of its continuous form. */
const drawRank = (random: () => number) => Math.min(vocabulary, Math.floor(vocabulary ** random())) - 1

const generateWords = (random: () => number, count: number) =>
  Array.from({ length: count }, () => wordOf(drawRank(random))).join(' ')

/** Records with a title of four words and a text of 20 to 60, as NDJSON in pieces. */
export function* generateRecords(count: number, seed: number): Generator<Uint8Array> {
  const random = createRandom(seed)
  const encoder = new TextEncoder()
  let text = ''
  for (let index = 0; index < count; index++) {
    const row = {
      id: String(index),
      title: generateWords(random, 4),
      text: generateWords(random, 20 + Math.floor(random() * 41)),
    }
    text += `${JSON.stringify(row)}\n`
    if (text.length < 65_536 && index + 1 < count) continue
    yield encoder.encode(text)
    text = ''
  }
}

/** Queries of one kind. */
export const queryKinds: Readonly<Record<string, (random: () => number) => string>> = {
  'one rare word': (random) => `${wordOf(5_000 + Math.floor(random() * 10_000))} `,
  'one common word': (random) => `${wordOf(Math.floor(random() * 10))} `,
  'three words': (random) => `${generateWords(random, 3)} `,
  'a sentence of ten words': (random) => `${generateWords(random, 10)}.`,
  'a word being typed': (random) => wordOf(drawRank(random)).slice(0, -2),
}
