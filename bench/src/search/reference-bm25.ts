import type { Client } from 'pg'
import type { Collection } from './collection.ts'

const [k1, b] = [1.2, 0.75]

/**
 * BM25 as the books have it, over PostgreSQL's English lexemes of title and text as one: what search is measured
 * against. @returns for each question the best 100 documents
 */
export async function rankByReferenceBm25(client: Client, { documents, questions }: Collection): Promise<string[][]> {
  const read = async (texts: readonly string[]) => {
    const all: Map<string, number>[] = []
    for (let from = 0; from < texts.length; from += 500) {
      const { rows } = await client.query<{ lexemes: Record<string, number> | null }>(
        `SELECT (SELECT json_object_agg(lexeme, cardinality(positions)) FROM unnest(to_tsvector('english', text))) AS lexemes
           FROM unnest($1::text[]) WITH ORDINALITY AS given (text, place) ORDER BY place`,
        [texts.slice(from, from + 500)],
      )
      all.push(...rows.map(({ lexemes }) => new Map(Object.entries(lexemes ?? {}))))
    }
    return all
  }
  const bags = await read(documents.map(({ title, text }) => `${title} ${text}`))
  const lengths = bags.map((bag) => [...bag.values()].reduce((sum, times) => sum + times, 0))
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length)
  const postings = new Map<string, { at: number; times: number }[]>()
  for (const [at, bag] of bags.entries())
    for (const [lexeme, times] of bag) {
      const list = postings.get(lexeme)
      if (list === undefined) postings.set(lexeme, [{ at, times }])
      else list.push({ at, times })
    }
  return (await read(questions.map(({ text }) => text))).map((asked) => {
    const scores = new Map<number, number>()
    for (const [lexeme, weight] of asked) {
      const list = postings.get(lexeme) ?? []
      const idf = Math.log(1 + (bags.length - list.length + 0.5) / (list.length + 0.5))
      for (const { at, times } of list) {
        const score = (idf * times * (k1 + 1)) / (times + k1 * (1 - b + (b * (lengths[at] ?? 0)) / mean))
        scores.set(at, (scores.get(at) ?? 0) + weight * score)
      }
    }
    const best = [...scores].sort(([, one], [, other]) => other - one).slice(0, 100)
    return best.map(([at]) => documents[at]?.id ?? '')
  })
}
