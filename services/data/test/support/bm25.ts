import { on } from './database.ts'

const [k1, b, titleWeight] = [1.2, 0.75, 2]

export interface Text {
  key: string
  title: string | null
  text: string
}

/**
 * Scores of a query by BM25, written down as the formula stands in the books: for each document, over lexemes that
 * PostgreSQL finds in it, a word of the title counting as two.
 */
export async function scoresByTheBook(
  url: string | undefined,
  documents: readonly Text[],
  query: string,
): Promise<Map<string, number>> {
  const read = (texts: readonly (string | null)[]) =>
    on(url, async (client) => {
      const { rows } = await client.query<{ words: string[] }>(
        `SELECT ARRAY (SELECT lexeme FROM unnest(to_tsvector('public.search_english', text)) AS found, unnest(positions) AS each) AS words
           FROM unnest($1::text[]) WITH ORDINALITY AS given (text, place) ORDER BY place`,
        [texts.map((text) => text ?? '')],
      )
      return rows.map(({ words }) => words)
    })
  const titles = await read(documents.map(({ title }) => title))
  const texts = await read(documents.map(({ text }) => text))
  // What has no words is no document.
  const bags = texts
    .map((words, at) => [...words, ...Array.from({ length: titleWeight }, () => titles[at] ?? []).flat()])
    .map((words, at) => ({ key: documents[at]?.key ?? '', words }))
    .filter(({ words }) => words.length > 0)
  const mean = bags.reduce((sum, { words }) => sum + words.length, 0) / bags.length
  const scores = new Map<string, number>()
  for (const word of (await read([query]))[0] ?? []) {
    const frequency = bags.filter(({ words }) => words.includes(word)).length
    const idf = Math.log(1 + (bags.length - frequency + 0.5) / (frequency + 0.5))
    for (const { key, words } of bags) {
      const times = words.filter((other) => other === word).length
      if (times === 0) continue
      const score = (idf * times * (k1 + 1)) / (times + k1 * (1 - b + (b * words.length) / mean))
      scores.set(key, (scores.get(key) ?? 0) + score)
    }
  }
  return scores
}
