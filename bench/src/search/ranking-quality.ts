import type { TestFleet } from '@wp/testkit'
import type { Client } from 'pg'
import { inDatabase } from '../harness/fleet.ts'
import { residentMib } from '../harness/process-usage.ts'
import { type Row, report } from '../harness/report.ts'
import type { Collection } from './collections.ts'
import { connectEmbeddingServer, waitUntilEmbedded } from './embed-collection.ts'
import { upload } from './upload.ts'

const [k1, b] = [1.2, 0.75]

/** Measures how well a collection is ranked, by words and, if it is embedded, by meaning and by both. */
export async function measureQuality(fleet: TestFleet, collection: Collection, isEmbedded: boolean): Promise<void> {
  const { documents, questions } = collection
  const server = isEmbedded ? await connectEmbeddingServer(fleet) : undefined
  try {
    const startedAt = performance.now()
    await upload(fleet, fleet.owner.apiKey, recordsOf(documents), isEmbedded)
    if (isEmbedded) await waitUntilEmbedded(fleet, documents.length)
    const embeddingMs = (performance.now() - startedAt) / documents.length
    const reference = await inDatabase(fleet, 'data', (client) => rankByReferenceBm25(client, collection))
    const rows: Row[] = [{ method: 'reference BM25', ...qualityOf(collection, reference), 'ms a query': '' }]
    for (const mode of isEmbedded ? (['lexical', 'semantic', 'hybrid'] as const) : (['lexical'] as const)) {
      const ranked: string[][] = []
      const searchedAt = performance.now()
      for (const { text } of questions) ranked.push(await search(fleet, text, mode))
      const ms = (performance.now() - searchedAt) / questions.length
      // Vectors of queries are cached, so the second mode that needs them does not wait for the server.
      const method = mode === 'hybrid' ? 'hybrid (queries cached)' : mode
      rows.push({ method, ...qualityOf(collection, ranked), 'ms a query': Math.round(ms) })
    }
    report('search-quality', rows, { documents: documents.length, questions: questions.length })
    if (server !== undefined)
      process.stdout.write(
        `embedding: ${Math.round(embeddingMs)} ms a document, at most ${residentMib(server.pid() ?? 0, 'VmHWM')} MiB\n`,
      )
  } finally {
    await server?.stop()
  }
}

/** Search results contain the URL of a record, so the URL contains the id of the document. */
const urlPrefix = 'https://collection.example/'

function* recordsOf(documents: Collection['documents']): Generator<string> {
  for (const { id, title, text } of documents)
    yield `${JSON.stringify({ id, title, text, url: urlPrefix + encodeURIComponent(id) })}\n`
}

/** @throws Error if the search was made in another mode */
async function search(fleet: TestFleet, text: string, mode: string): Promise<string[]> {
  const body = { query: text.slice(0, 2000), mode, limit: 100 }
  const response = await fleet.request('POST', '/v1/data/search', { as: fleet.owner.apiKey, body })
  if (response.body.meta?.mode_used !== mode) throw new Error(`no ${mode} search: ${JSON.stringify(response.body)}`)
  return response.body.data.map(({ url }: { url: string }) => decodeURIComponent(url.slice(urlPrefix.length)))
}

/**
 * Returns the mean quality of rankings of all questions, like ndcg_cut_10 and recall_100 of trec_eval.
 *
 * @see Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, 2002
 */
function qualityOf({ questions }: Collection, rankings: readonly string[][]) {
  const mean = (measure: (relevant: ReadonlyMap<string, number>, ranked: readonly string[]) => number) =>
    questions.reduce((sum, { relevant }, index) => sum + measure(relevant, rankings[index] ?? []), 0) /
    Math.max(1, questions.length)
  return {
    'nDCG@10': mean((relevant, ranked) => {
      const ideal = [...relevant.values()].sort((a, b) => b - a)
      return gain(ranked.slice(0, 10).map((id) => relevant.get(id) ?? 0)) / gain(ideal.slice(0, 10))
    }),
    'recall@100': mean(
      (relevant, ranked) => ranked.slice(0, 100).filter((id) => relevant.has(id)).length / relevant.size,
    ),
  }
}

/** Returns the discounted cumulative gain. */
const gain = (grades: readonly number[]) => grades.reduce((sum, grade, index) => sum + grade / Math.log2(index + 2), 0)

/**
 * Ranks documents with plain BM25 over PostgreSQL's English lexemes of title and text, without field weights.
 *
 * @returns for each question the ids of the best 100 documents
 */
async function rankByReferenceBm25(client: Client, { documents, questions }: Collection): Promise<string[][]> {
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
