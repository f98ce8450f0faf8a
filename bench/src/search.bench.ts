import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createRandom } from '@wp/lab/random'
import { findSearchClusterProblem, startSearchCluster, type TestFleet } from '@wp/testkit'
import { runClosedLoop, wireRequest } from './harness/closed-loop.ts'
import { createApiKeys, inDatabase, withFleet } from './harness/fleet.ts'
import { type Row, report } from './harness/report.ts'
import { percentileColumns } from './harness/statistics.ts'
import { type Collection, readBeirCollection } from './search/beir-collection.ts'
import {
  connectEmbeddingServer,
  findEmbeddingsProblem,
  peakMemoryMib,
  waitUntilEmbedded,
} from './search/embed-collection.ts'
import { createMultilingualCollection } from './search/multilingual/multilingual-collection.ts'
import { measureRankingQuality } from './search/ranking-quality.ts'
import { rankByReferenceBm25 } from './search/reference-bm25.ts'
import { generateRecords, queryKinds } from './search/synthetic-corpus.ts'
import { idOfUrl, recordsOf, upload } from './search/upload.ts'

interface SearchLoad {
  records: number
  /** For each kind of query. */
  seconds: number
  workspaces: number
}

const services = ['auth', 'data'] as const
const recordsPerWorkspace = 1_000

/** Measures the ranking quality on a collection, or one engine after the other with the same records and queries. */
export async function run({ collection, ...load }: SearchLoad & { collection: string | undefined }): Promise<void> {
  if (collection !== undefined) {
    const read = collection === 'multilingual' ? createMultilingualCollection() : readBeirCollection(collection)
    const problem = findEmbeddingsProblem(read.documents.length)
    if (problem !== undefined) process.stdout.write(`only words are measured: ${problem}\n`)
    const names = problem === undefined ? [...services, 'integrations' as const] : [...services]
    return await withFleet({ services: names }, (fleet) => measureQuality(fleet, read, problem === undefined))
  }
  const rows = await withFleet({ services: [...services] }, (fleet) => measureSpeed(fleet, 'postgres', load))
  const problem = findSearchClusterProblem()
  if (problem === undefined) rows.push(...(await measureSearchCluster(load)))
  else process.stdout.write(`only PostgreSQL is measured: ${problem}\n`)
  report('search', rows, { ...load, recordsPerWorkspace })
}

async function measureSearchCluster(load: SearchLoad): Promise<Row[]> {
  const cluster = await startSearchCluster({ heapMib: 1_024, isMeasured: true })
  const data = {
    SEARCH_ENGINE: 'opensearch',
    OPENSEARCH_URL: cluster.url,
    // An answer of PostgreSQL would be measured as one of OpenSearch.
    OPENSEARCH_TIMEOUT_MS: '30000',
    SEARCH_TIMEOUT_MS: '60000',
    // As many shards as production has by default, and one node.
    OPENSEARCH_SHARDS: '6',
    OPENSEARCH_REPLICAS: '0',
  }
  try {
    return await withFleet({ services: [...services], env: { data } }, (fleet) =>
      measureSpeed(fleet, 'opensearch', load),
    )
  } finally {
    await cluster.stop()
  }
}

async function measureSpeed(
  fleet: TestFleet,
  engine: 'postgres' | 'opensearch',
  { records, seconds, workspaces }: SearchLoad,
): Promise<Row[]> {
  const [key = ''] = await createApiKeys(fleet, 1)
  for (let index = 0; index < workspaces; index++) {
    const { apiKey } = await fleet.seed(`other-${index}`)
    await upload(fleet, apiKey, generateRecords(recordsPerWorkspace, index + 2))
  }
  const startedAt = performance.now()
  await upload(fleet, fleet.owner.apiKey, generateRecords(records, 1))
  const perSecond = (count: number, sinceMs: number) => Math.round((1_000 * count) / (performance.now() - sinceMs))
  process.stdout.write(`${engine}: ${perSecond(records, startedAt)} records/s were uploaded\n`)
  if (engine === 'opensearch') {
    const builtAt = performance.now()
    await buildSearchIndex(fleet.env('data'))
    const total = records + workspaces * recordsPerWorkspace
    process.stdout.write(`${engine}: ${perSecond(total, builtAt)} records/s were indexed\n`)
  }
  const runQueries = (generateQuery: (random: () => number) => string, connections: number) => {
    const random = createRandom(7).next
    const requests = Array.from({ length: 500 }, () =>
      wireRequest(`/v1/data/search?${new URLSearchParams({ q: generateQuery(random), limit: '10' })}`, key),
    )
    return runClosedLoop({ url: fleet.baseUrl, requests, connections, seconds })
  }
  // A virtual machine compiles what it has run often.
  for (const generateQuery of Object.values(queryKinds)) await runQueries(generateQuery, 8)
  const rows: Row[] = []
  for (const clients of [1, 8])
    for (const [query, generateQuery] of Object.entries(queryKinds)) {
      const load = await runQueries(generateQuery, clients)
      const figures = { ...percentileColumns(load), 'per s': Math.round(load.perSecond), 'not 2xx': load.failures }
      rows.push({ engine, query, clients, ...figures })
    }
  return rows
}

/** Builds the index with the command that operators use. @param env of the data service */
async function buildSearchIndex(env: Record<string, string>): Promise<void> {
  const root = join(import.meta.dirname, '../..')
  const command = [join(root, 'services/data/src/rebuild-main.ts')]
  const options = { cwd: root, env: { ...process.env, ...env }, timeout: 1_800_000 }
  await promisify(execFile)(process.execPath, command, options)
}

async function measureQuality(fleet: TestFleet, collection: Collection, isEmbedded: boolean): Promise<void> {
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
        `embedding: ${Math.round(embeddingMs)} ms a document, at most ${peakMemoryMib(server) ?? '?'} MiB\n`,
      )
  } finally {
    await server?.stop()
  }
}

/** @throws Error if the search was made in another mode */
async function search(fleet: TestFleet, text: string, mode: string): Promise<string[]> {
  const body = { query: text.slice(0, 2000), mode, limit: 100 }
  const response = await fleet.request('POST', '/v1/data/search', { as: fleet.owner.apiKey, body })
  if (response.body.meta?.mode_used !== mode) throw new Error(`no ${mode} search: ${JSON.stringify(response.body)}`)
  return response.body.data.map(({ url }: { url: string }) => idOfUrl(url))
}

const qualityOf = ({ questions }: Collection, rankings: readonly string[][]) =>
  measureRankingQuality(questions.map(({ relevant }, index) => ({ relevant, ranked: rankings[index] ?? [] })))
