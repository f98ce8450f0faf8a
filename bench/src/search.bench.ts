import {
  findSearchClusterProblem,
  startSearchCluster,
  startTestFleet,
  startTestServers,
  type TestFleet,
} from '@wp/testkit'
import { Client } from 'pg'
import { createApiKeys } from './edge/create-credentials.ts'
import { runClosedLoop } from './harness/load.ts'
import { numericOptions, optionValue } from './harness/options.ts'
import { report } from './harness/report.ts'
import type { Collection } from './search/collection.ts'
import { measureMadeCollections } from './search/measure-made-collections.ts'
import { measureRankingQuality } from './search/ranking-quality.ts'
import { readCollection } from './search/read-collection.ts'
import { rankByReferenceBm25 } from './search/reference-bm25.ts'
import { buildSearchIndex, searchEngineEnvironment } from './search/search-engine.ts'
import { createRandom, generateRecords, queryKinds } from './search/synthetic-corpus.ts'
import { idOfUrl, recordsOf, upload } from './search/upload.ts'

const recordsPerWorkspace = 1_000

/**
 * Measures search through the gateway: how fast records are indexed during an upload, and the latency of queries, with
 * a hundred other workspaces in the database; with OpenSearch (`npm run opensearch`) also with it as the engine. With
 * `--collection PATH` it measures the ranking quality on a test collection instead, compared with BM25 over the same
 * documents: a folder in the format of BEIR, or a file as described in read-collection.ts. With `--collection made` it
 * measures what each part of the ranking earns on generated collections; the numbers are their seeds then (default 1).
 *
 * Options: records (default 100,000), seconds for each kind of query (default 5) and other workspaces (default 100),
 * for example `search 20000 2 10`.
 */
export async function run(options: string[]): Promise<void> {
  const file = optionValue(options, '--collection')
  const [records = 100_000, seconds = 5, otherWorkspaces = 100] = numericOptions(options)
  const servers = await startTestServers()
  try {
    if (file === 'made') {
      const seeds = numericOptions(options)
      await withFleet({ services: ['auth', 'data'] }, (fleet) =>
        measureMadeCollections(fleet, seeds.length === 0 ? [1] : seeds),
      )
    } else if (file === undefined) await compareEngines({ records, seconds, otherWorkspaces })
    else await withFleet({ services: ['auth', 'data'] }, (fleet) => measureQuality(fleet, readCollection(file)))
  } finally {
    await servers.stop()
  }
}

async function withFleet<T>(
  options: Parameters<typeof startTestFleet>[0],
  work: (fleet: TestFleet) => Promise<T>,
): Promise<T> {
  const fleet = await startTestFleet({ mode: 'processes', ...options })
  try {
    return await work(fleet)
  } finally {
    await fleet.stop()
  }
}

/** Measures one engine after the other, with the same records and queries. */
async function compareEngines(load: SearchLoad): Promise<void> {
  const metadata: Record<string, unknown> = { ...load, recordsPerWorkspace }
  const rows = await withFleet({ services: ['auth', 'data'] }, (fleet) =>
    measureSpeed(fleet, { engine: 'postgres', ...load, metadata }),
  )
  const problem = findSearchClusterProblem()
  if (problem === undefined) {
    const cluster = await startSearchCluster({ heapMib: 1_024, isMeasured: true })
    try {
      const env = { data: searchEngineEnvironment(cluster) }
      const more = await withFleet({ services: ['auth', 'data'], env }, (fleet) =>
        measureSpeed(fleet, { engine: 'opensearch', ...load, metadata }),
      )
      rows.push(...more)
    } finally {
      await cluster.stop()
    }
  } else process.stdout.write(`only PostgreSQL is measured: ${problem}\n`)
  report('search', rows, metadata)
}

interface SearchLoad {
  records: number
  /** For each kind of query. */
  seconds: number
  otherWorkspaces: number
}

interface SpeedOptions extends SearchLoad {
  engine: 'postgres' | 'opensearch'
  /** Gets further figures. */
  metadata: Record<string, unknown>
}

type SpeedRow = Record<string, string | number>

async function measureSpeed(
  fleet: TestFleet,
  { engine, records, seconds, otherWorkspaces, metadata }: SpeedOptions,
): Promise<SpeedRow[]> {
  const [key = ''] = await createApiKeys(fleet, 1)
  for (let index = 0; index < otherWorkspaces; index++) {
    const { apiKey } = await fleet.seed(`other-${index}`)
    await upload(fleet, apiKey, generateRecords(recordsPerWorkspace, index + 2))
  }
  const startedAt = performance.now()
  await upload(fleet, fleet.owner.apiKey, generateRecords(records, 1))
  const uploadSeconds = (performance.now() - startedAt) / 1000
  if (engine === 'opensearch') {
    const builtAt = performance.now()
    await buildSearchIndex(fleet.env('data'))
    const total = records + otherWorkspaces * recordsPerWorkspace
    metadata['rebuilt records/s'] = Math.round((1_000 * total) / (performance.now() - builtAt))
  } else metadata['indexed rows/s'] = Math.round(records / uploadSeconds)
  const rows: SpeedRow[] = []
  const { hostname, port } = new URL(fleet.baseUrl)
  const runQueries = (generateQuery: (random: () => number) => string, connections: number) => {
    const random = createRandom(7)
    const requests = Array.from({ length: 500 }, () => {
      const path = `/v1/data/search?${new URLSearchParams({ q: generateQuery(random), limit: '10' })}`
      return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\n${key}\r\n\r\n`)
    })
    return runClosedLoop({ port: Number(port), requests, connections, seconds })
  }
  // A virtual machine compiles what it has run often.
  for (const generateQuery of Object.values(queryKinds)) await runQueries(generateQuery, 8)
  for (const connections of [1, 8])
    for (const [kind, generateQuery] of Object.entries(queryKinds)) {
      const load = await runQueries(generateQuery, connections)
      rows.push({
        engine,
        query: kind,
        clients: connections,
        'p50 ms': load.p50,
        'p95 ms': load.p95,
        'p99 ms': load.p99,
        'per s': Math.round(load.perSecond),
        count: load.requests,
        failures: load.failures,
      })
    }
  return rows
}

async function measureQuality(fleet: TestFleet, collection: Collection): Promise<void> {
  await upload(fleet, fleet.owner.apiKey, recordsOf(collection.documents))
  const ranked: string[][] = []
  for (const { text } of collection.questions) {
    const body = { query: text.slice(0, 2000), limit: 100 }
    const response = await fleet.request('POST', '/v1/data/search', { as: fleet.owner.apiKey, body })
    if (response.status !== 200) throw new Error(`${response.status} ${JSON.stringify(response.body)}`)
    ranked.push(response.body.data.map(({ url }: { url: string }) => idOfUrl(url)))
  }
  const client = new Client({ connectionString: fleet.databases.get('data')?.adminUrl })
  await client.connect()
  const referenceRanked = await rankByReferenceBm25(client, collection)
  await client.end()
  const rows = Object.entries({ 'reference BM25': referenceRanked, search: ranked }).map(([method, rankings]) => ({
    method,
    ...measureRankingQuality(
      collection.questions.map(({ relevant }, index) => ({ relevant, ranked: rankings[index] ?? [] })),
    ),
  }))
  report('search-quality', rows, { documents: collection.documents.length, questions: collection.questions.length })
}
