import type { Client } from 'pg'
import type { Collection } from './collections.ts'

const [k1, b] = [1.2, 0.75]

/**
 * Ranks documents with plain BM25 over PostgreSQL's English lexemes of title and text, without field weights.
 *
 * @returns for each question the ids of the best 100 documents
 */
export async function rankByReferenceBm25(client: Client, { documents, questions }: Collection): Promise<string[][]> {
  const documentLexemes = await readLexemes(
    client,
    documents.map(({ title, text }) => `${title} ${text}`),
  )
  const lengths = documentLexemes.map((lexemes) => [...lexemes.values()].reduce((sum, count) => sum + count, 0))
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length)
  const postings = indexLexemes(documentLexemes)
  const questionLexemes = await readLexemes(
    client,
    questions.map(({ text }) => text),
  )
  return questionLexemes.map((lexemes) => {
    const scores = new Map<number, number>()
    for (const [lexeme, weight] of lexemes) {
      const list = postings.get(lexeme) ?? []
      const idf = Math.log(1 + (documents.length - list.length + 0.5) / (list.length + 0.5))
      for (const { index, count } of list) {
        const score = (idf * count * (k1 + 1)) / (count + k1 * (1 - b + (b * (lengths[index] ?? 0)) / meanLength))
        scores.set(index, (scores.get(index) ?? 0) + weight * score)
      }
    }
    const best = [...scores].sort(([, score], [, otherScore]) => otherScore - score).slice(0, 100)
    return best.map(([index]) => documents[index]?.id ?? '')
  })
}

/** @returns for each text its lexemes and how often they occur */
async function readLexemes(client: Client, texts: readonly string[]): Promise<Map<string, number>[]> {
  const lexemes: Map<string, number>[] = []
  for (let from = 0; from < texts.length; from += 500) {
    const { rows } = await client.query<{ counts: Record<string, number> | null }>(
      `SELECT (SELECT json_object_agg(lexeme, cardinality(positions)) FROM unnest(to_tsvector('english', text))) AS counts
         FROM unnest($1::text[]) WITH ORDINALITY AS t (text, position) ORDER BY position`,
      [texts.slice(from, from + 500)],
    )
    lexemes.push(...rows.map(({ counts }) => new Map(Object.entries(counts ?? {}))))
  }
  return lexemes
}

/** Returns for each lexeme the documents with it, by index, and how often they have it. */
const indexLexemes = (documentLexemes: readonly Map<string, number>[]) =>
  Map.groupBy(
    documentLexemes.flatMap((lexemes, index) => [...lexemes].map(([lexeme, count]) => ({ lexeme, index, count }))),
    ({ lexeme }) => lexeme,
  )
