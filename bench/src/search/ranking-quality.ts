import type { TestFleet } from '@wp/testkit'
import { inDatabase } from '../harness/fleet.ts'
import { residentMib } from '../harness/process-usage.ts'
import { type Row, report } from '../harness/report.ts'
import type { Collection } from './collections.ts'
import { connectEmbeddingServer, waitUntilEmbedded } from './embed-collection.ts'
import { rankByReferenceBm25 } from './reference-bm25.ts'
import { upload } from './upload.ts'

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
